import { expect, it } from "vitest";
import { cardName, faceUrl, shortName } from "./cards";

it("names cards in both languages, with the letters that stand on them", () => {
  expect(["CQ", "HT", "DJ", "SA"].map((code) => shortName(code, "en"))).toEqual(["♣Q", "♥10", "♦J", "♠A"]);
  expect(["CQ", "HT", "DJ", "SA"].map((code) => shortName(code, "de"))).toEqual(["♣D", "♥10", "♦B", "♠A"]);
  expect([cardName("CQ", "en"), cardName("CQ", "de")]).toEqual(["Queen of clubs", "Kreuz Dame"]);
});

it("has a picture of every card, with German letters where they differ", () => {
  const codes = [..."CSHD"].flatMap((suit) => [..."9TJQKA"].map((rank) => suit + rank));
  for (const code of codes) {
    expect(faceUrl(code, "en"), code).toMatch(new RegExp(`${code}\\.svg$`));
    expect(faceUrl(code, "de"), code).toMatch(/[QJ]$/.test(code) ? /\.svg#de$/ : /\.svg$/);
  }
  expect(faceUrl("back", "de")).toBe(faceUrl("back", "en"));
});
