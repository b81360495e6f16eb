import { expect, it } from "vitest";
import { hashOf, readRoute } from "./router";

it("reads and writes addresses", () => {
  for (const route of [{ page: "lobby" }, { page: "table", id: "a-B_9" }, { page: "record", id: "x/y" }, { page: "record", id: "b", ply: 7 }, { page: "history" }] as const)
    expect(readRoute(hashOf(route))).toEqual(route);
});

it("goes to the lobby for anything else", () => {
  for (const hash of ["", "#", "#/table/", "#/nowhere/1", "#/table/%E0%A4%A"]) expect(readRoute(hash)).toEqual({ page: "lobby" });
});
