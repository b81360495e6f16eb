import { render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { keepPass } from "../api/tokens";
import type { TableListing } from "../api/types";
import { reloadPrefs, setPrefs } from "../prefs";
import { Tables } from "./Tables";

beforeEach(() => {
  reloadPrefs();
  setPrefs({ language: "en" });
});

const listing = (table: string, change: Partial<TableListing> = {}): TableListing => ({
  table,
  game: { name: "nim", title: "Nim" },
  seats: [
    { name: "Ada", kind: "person" },
    { name: "Bot 2", kind: "bot" },
  ],
  games: null,
  played: 0,
  over: false,
  ...change,
});

it("does not say that there are none before it knows", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("no line")));
  render(<Tables />);
  await Promise.resolve();
  expect(screen.queryByText(/No open table/)).not.toBeInTheDocument();
});

it("lists own tables, then free seats, then tables to watch", async () => {
  keepPass("mine", { seat: 0, token: "secret" });
  const free = [
    { name: "Bob", kind: "person" as const },
    { name: "", kind: "open" as const },
  ];
  const list = [listing("watch", { played: 2 }), listing("free", { seats: free }), listing("mine")];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(list))));
  render(<Tables />);
  const links = await screen.findAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual(["Return to your seat", "Sit down", "Watch"]);
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["#/table/mine", "#/table/free", "#/table/watch"]);
  expect(screen.getByText("1 free seat")).toBeInTheDocument();
  expect(screen.getByText("2 games played")).toBeInTheDocument();
});
