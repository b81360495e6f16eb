import { expect, it } from "vitest";
import { analysed } from "../../test/records";
import { face } from "./face";

it("groups all cards of a contract once", () => {
  const { snapshot, beliefs } = analysed("doppelkopf");
  const groups = face.pieces?.groups(snapshot, Object.keys(beliefs.cards), "en") ?? [];
  expect(groups.map((group) => group.codes.length)).toEqual([13, 4, 4, 3]);
  expect(groups.map((group) => group.title)).toEqual(["Trumps", "Clubs", "Spades", "Hearts"]);
  expect(groups[0]?.codes[0]).toBe("HT");
  expect(new Set(groups.flatMap((group) => group.codes)).size).toBe(24);
});
