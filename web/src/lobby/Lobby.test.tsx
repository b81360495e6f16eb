import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { passFor } from "../api/tokens";
import type { GameInfo, TableOpened } from "../api/types";
import { reloadPrefs, setPrefs } from "../prefs";
import { seriousFindings } from "../test/axe";
import { Lobby } from "./Lobby";

const strengths = [
  { key: "casual", spec: "rule_of_thumb" },
  { key: "strong", spec: "best(worlds=20)" },
];
const GAMES: GameInfo[] = [
  { name: "doppelkopf", title: "Doppelkopf", players: 4, hidden: true, presets: [], parameters: [], strengths, lesson: true },
  {
    name: "oware",
    title: "Oware",
    players: 2,
    hidden: false,
    presets: ["abapa", "house"].map((name) => ({ name, help: `rules of ${name}`, values: {} })),
    parameters: [],
    strengths,
  },
];

let opened: { body: unknown; answer: TableOpened };

beforeEach(() => {
  location.hash = "#/";
  reloadPrefs();
  setPrefs({ language: "en" });
  opened = { body: null, answer: { table: "abc", seat: 0, token: "secret" } };
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    if (url === "/api/games") return Promise.resolve(new Response(JSON.stringify(GAMES)));
    if (init?.method === "POST") {
      opened.body = JSON.parse(String(init.body));
      return Promise.resolve(new Response(JSON.stringify(opened.answer), { status: 201 }));
    }
    return Promise.resolve(new Response("[]"));
  });
});

it("plays Doppelkopf against three strong bots with one click", async () => {
  render(<Lobby />);
  await userEvent.click(await screen.findByRole("button", { name: "Play Doppelkopf" }));
  await waitFor(() => expect(location.hash).toBe("#/table/abc"));
  expect(opened.body).toMatchObject({
    game: { name: "doppelkopf" },
    seats: [{ kind: "person", me: true }, { strength: "strong" }, { strength: "strong" }, { strength: "strong" }],
  });
  expect(passFor("abc")).toMatchObject({ seat: 0, token: "secret", owner: false });
});

it("leads to the rules, and to a guided first game where there is one", async () => {
  render(<Lobby />);
  expect(await screen.findByRole("link", { name: "How to play" })).toHaveAttribute("href", "#/rules/doppelkopf");
  await userEvent.click(screen.getByRole("button", { name: "Guided first game" }));
  await waitFor(() => expect(location.hash).toBe("#/table/abc"));
  expect(opened.body).toMatchObject({ lesson: true, seats: [{ me: true }, { strength: "casual" }, {}, {}] });
  expect(passFor("abc")).toMatchObject({ seat: 0, lesson: true });
});

it("names the agents behind the strengths once, folded away, and remembers what was chosen", async () => {
  const first = render(<Lobby />);
  for (const spec of ["rule_of_thumb", "best(worlds=20)"])
    expect((await screen.findByText(spec)).closest("details")).not.toHaveAttribute("open");
  await userEvent.selectOptions(screen.getByLabelText(/Seat 2/), "Bot: Casual");
  await userEvent.type(screen.getByLabelText("Your name"), "Ada");
  await userEvent.click(screen.getByRole("radio", { name: /Oware/ }));
  expect(screen.getByRole("button", { name: "Play Oware" })).toBeInTheDocument();
  first.unmount();
  reloadPrefs();
  render(<Lobby />);
  expect(await screen.findByRole("button", { name: "Play Oware" })).toBeInTheDocument();
  expect(screen.getByLabelText("Your name")).toHaveValue("Ada");
  await userEvent.click(screen.getByRole("radio", { name: /Doppelkopf/ }));
  expect(screen.getByLabelText(/Seat 2/)).toHaveDisplayValue("Bot: Casual");
});

it("opens a table of bots to watch and keeps the owner's token apart from seats", async () => {
  opened.answer = { table: "bots", seat: null, token: null, owner: "owner-secret" };
  render(<Lobby />);
  await userEvent.click(await screen.findByRole("button", { name: "Watch bots play" }));
  await waitFor(() => expect(location.hash).toBe("#/table/bots"));
  expect(passFor("bots")).toEqual({ seat: null, token: "owner-secret", owner: true });
});

it("speaks German", async () => {
  setPrefs({ language: "de" });
  render(<Lobby />);
  expect(await screen.findByRole("button", { name: "Doppelkopf spielen" })).toBeInTheDocument();
});

it("has no serious accessibility findings", async () => {
  const { container } = render(<Lobby />);
  await screen.findByRole("button", { name: "Play Doppelkopf" });
  expect(await seriousFindings(container)).toEqual([]);
});

it("says what presets mean, in German where it can", async () => {
  setPrefs({ game: "oware" });
  render(<Lobby />);
  const rules = await screen.findByLabelText(/Rules/);
  await userEvent.selectOptions(rules, "abapa");
  expect(screen.getByText("rules of abapa")).toBeInTheDocument();
  act(() => setPrefs({ language: "de" }));
  expect(screen.getByText(/4 Samen je Mulde/)).toBeInTheDocument();
  await userEvent.selectOptions(rules, "house");
  expect(screen.getByText("rules of house")).toBeInTheDocument();
});

it("opens the first game of a file of lines", async () => {
  opened.answer = { record: "new" } as unknown as TableOpened;
  render(<Lobby />);
  await userEvent.upload(screen.getByLabelText("Choose a file", { selector: "input" }), new File(["no"], "a.json"));
  expect(await screen.findByRole("alert")).toHaveTextContent("This file cannot be opened: it is not JSON");
  const file = new File(['{"schema":1,"seed":5}\n{"schema":1,"seed":6}\n'], "games.jsonl");
  await userEvent.upload(screen.getByLabelText("Choose a file", { selector: "input" }), file);
  await waitFor(() => expect(location.hash).toBe("#/record/new"));
  expect(opened.body).toEqual({ schema: 1, seed: 5 });
});

it("offers open hands only where they show nothing to a player, and says why not", async () => {
  render(<Lobby />);
  await userEvent.click(await screen.findByText("Options"));
  const open = () => screen.getByRole("checkbox", { name: /^Spectators may see everything/ });
  await userEvent.click(open());
  expect(open()).toBeChecked();
  await userEvent.click(screen.getByRole("checkbox", { name: /^Fair table/ }));
  expect(open()).not.toBeChecked();
  expect(open()).toBeDisabled();
  expect(screen.getByText(/^Not at a fair table/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("checkbox", { name: /^Fair table/ }));
  expect(open()).toBeChecked();
  await userEvent.selectOptions(screen.getByLabelText(/Seat 2/), "Open for a friend");
  act(() => setPrefs({ language: "de" }));
  const offen = screen.getByRole("checkbox", { name: /^Zuschauer dürfen alles sehen/ });
  expect(offen).toBeDisabled();
  expect(screen.getByText(/^Nicht, wenn zwei Menschen spielen/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Doppelkopf spielen" }));
  await waitFor(() => expect(opened.body).toMatchObject({ options: { open: false } }));
});
