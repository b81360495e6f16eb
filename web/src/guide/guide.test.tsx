// Pages of rules: every game that has a face has one, in both languages and with pictures; words explain themselves; the
// notes of a guided first game come up one by one.

import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { faceNames } from "../games";
import { type Guide, guideNames, guideOf } from "../games/guide";
import type { Phrase } from "../i18n";
import { setPrefs } from "../prefs";
import { seriousFindings } from "../test/axe";
import { anyTable } from "../test/table";
import { Explained, TermsContext } from "../ui/Explained";
import { Coach } from "./Coach";
import { GuidePage } from "./GuidePage";

async function guide(name: string): Promise<Guide> {
  const found = await guideOf(name);
  if (!found) throw new Error(`${name} has no guide`);
  return found;
}

it("has a page for every game with a face", () => {
  expect([...guideNames].sort()).toEqual([...faceNames].sort());
});

it.each(faceNames.flatMap((name) => [[name, "en"], [name, "de"]] as const))("shows the rules of %s in %s", async (name, language) => {
  setPrefs({ language });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("[]")));
  const { sections, glossary } = await guide(name);
  const { container } = render(<GuidePage name={name} />);
  for (const { title, text, pictures = [] } of sections) {
    const heading = await screen.findByRole("heading", { name: title[language] });
    const section = heading.closest("section");
    for (const paragraph of text) expect(section).toHaveTextContent(paragraph[language]);
    for (const { caption } of pictures) expect(section).toHaveTextContent(caption[language]);
  }
  expect(container.querySelectorAll("figure").length).toBeGreaterThan(0);
  expect(container.querySelectorAll(".guide-words dt")).toHaveLength(glossary.length);
  expect(await seriousFindings(container)).toEqual([]);
});

it("says everything in two languages", async () => {
  for (const name of guideNames) {
    const { sections, glossary, notes = [] } = await guide(name);
    const phrases: Phrase[] = [
      ...sections.flatMap(({ title, text, pictures = [] }) => [title, ...text, ...pictures.map((each) => each.caption)]),
      ...glossary.flatMap(({ word, text }) => [word, text]),
      ...notes.flatMap(({ title, text }) => [title, text]),
    ];
    for (const { en, de } of phrases) {
      expect(en.trim()).not.toBe("");
      expect(de.trim()).not.toBe("");
    }
  }
});

it("says of a game without a page what its declaration says, and no more", async () => {
  const facts = { chance: false, utility: "zero_sum", repetition: true, max_length: 90, min_payoff: -1, max_payoff: 1 };
  const game = { name: "hex", title: "Hex", players: 2, hidden: false, presets: [], parameters: [], strengths: [] };
  const listed = [{ ...game, facts: { ...facts, kinds: ["move", "swap"] } }];
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(listed))));
  setPrefs({ language: "en" });
  const { container } = render(<GuidePage name="hex" />);
  const section = (await screen.findByRole("heading", { name: "In short" })).closest("section");
  for (const text of ["2 players. Everybody sees everything.", "There are these: swap.", "at most 90 moves", "ends it", "−1 to +1"])
    expect(section).toHaveTextContent(text);
  expect(await seriousFindings(container)).toEqual([]);
});

it("says that there is no such game", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("[]")));
  setPrefs({ language: "en" });
  render(<GuidePage name="halma" />);
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such game.");
});

const fox = { word: { en: "fox", de: "Fuchs" }, also: { en: "foxes", de: "" }, text: { en: "The ace of diamonds.", de: "Das Karo-Ass." } };

it("explains a word once in a text, by mouse and by keyboard", async () => {
  setPrefs({ language: "en" });
  const user = userEvent.setup();
  render(
    <TermsContext.Provider value={[fox]}>
      <p>
        <Explained text="Foxes are no firefox; a fox is." />
      </p>
    </TermsContext.Provider>,
  );
  expect(screen.getByText(/firefox; a fox is/)).toBeVisible();
  await user.tab();
  expect(screen.getByRole("tooltip")).toHaveTextContent("fox The ace of diamonds.");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
  await user.hover(screen.getByRole("button", { name: "Foxes" }));
  expect(screen.getByRole("tooltip")).toBeVisible();
});

it("shows notes as they come up, until they are understood", async () => {
  const user = userEvent.setup();
  const note = (name: string, plies: number) => ({
    title: { en: name, de: name },
    text: { en: `about ${name}`, de: `zu ${name}` },
    when: ({ history }: { history: string[] }) => history.length >= plies,
  });
  const taught: Guide = { sections: [], glossary: [], notes: [note("one", 0), note("two", 0), note("three", 2)] };
  const { rerender } = render(<Coach guide={taught} snapshot={anyTable()} />);
  const next = async (name: string) => {
    const box = screen.getByRole("region", { name: "For your first game" });
    expect(box).toHaveTextContent(`about ${name}`);
    await user.click(within(box).getByRole("button", { name: "Got it" }));
  };
  await next("one");
  await next("two");
  expect(screen.queryByRole("region")).toBeNull();
  rerender(<Coach guide={taught} snapshot={anyTable({ history: ["a", "b"] })} />);
  await next("three");
  rerender(<Coach guide={taught} snapshot={anyTable({ number: 2 })} />);
  expect(screen.queryByRole("region")).toBeNull();
});
