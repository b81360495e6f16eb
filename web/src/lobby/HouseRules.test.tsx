import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { TableRequest } from "../api/types";
import { prefs, reloadPrefs, setPrefs } from "../prefs";
import { seriousFindings } from "../test/axe";
import { Lobby } from "./Lobby";
import games from "./fixtures/games.json";

let asked: TableRequest | null;
let refusal: string | null;

beforeEach(() => {
  location.hash = "#/";
  reloadPrefs();
  setPrefs({ language: "en" });
  asked = refusal = null;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    if (url === "/api/games") return Promise.resolve(new Response(JSON.stringify(games)));
    if (init?.method !== "POST") return Promise.resolve(new Response("[]"));
    asked = JSON.parse(String(init.body)) as TableRequest;
    const answer = refusal
      ? new Response(JSON.stringify({ error: { code: "bad_game", message: refusal } }), { status: 422 })
      : new Response(JSON.stringify({ table: "abc", seat: 0, token: "secret" }), { status: 201 });
    return Promise.resolve(answer);
  });
});

/** The lobby with the rules of a game unfolded. */
async function rulesOf(game: string) {
  setPrefs({ game });
  render(<Lobby />);
  await userEvent.click(await screen.findByText("House rules"));
}

const play = () => userEvent.click(screen.getByRole("button", { name: /^Play / }));

it("opens Doppelkopf without nines", async () => {
  await rulesOf("doppelkopf");
  expect(screen.getByLabelText("With nines")).toBeChecked();
  await userEvent.click(screen.getByLabelText("With nines"));
  expect(screen.getByText("1 changed")).toBeInTheDocument();
  await play();
  expect(asked?.game).toEqual({ name: "doppelkopf", params: { nines: false } });
});

it("says what it was changed from and goes back there, also after another visit", async () => {
  await rulesOf("oware");
  await userEvent.selectOptions(screen.getByLabelText(/^Rules/), "abapa");
  expect(screen.getByLabelText("Seeds in each pit")).toHaveValue(4);
  expect(screen.queryByText(/Changed from/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Seeds in each pit: one more" }));
  await userEvent.selectOptions(screen.getByLabelText("Grand slam"), "captures them all");
  expect(screen.getByText("Changed from “Abapa”")).toBeInTheDocument();
  expect(screen.getByText("2 changed")).toBeInTheDocument();
  expect(screen.getByLabelText("Seeds in each pit")).toHaveAccessibleDescription(/changed/);
  act(() => reloadPrefs());
  expect(screen.getByLabelText("Seeds in each pit")).toHaveValue(5);
  await userEvent.click(screen.getByRole("button", { name: "Back to “Abapa”" }));
  expect(screen.getByLabelText("Seeds in each pit")).toHaveValue(4);
  expect(prefs().setups["oware"]?.rules).toEqual({});
});

it("forgets changes when another preset is chosen", async () => {
  await rulesOf("oware");
  // What players call usual is no preset of the library's own.
  expect(screen.getByLabelText(/^Rules/)).toHaveDisplayValue("Abapa (usual)");
  await userEvent.click(screen.getByLabelText("Must feed"));
  expect(screen.getByText("Changed from “Abapa”")).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText(/^Rules/), "36-seed variant");
  expect(screen.queryByText(/Changed from/)).not.toBeInTheDocument();
  expect(screen.getByLabelText("Must feed")).not.toBeChecked();
});

it("explains a number out of range, and goes there instead of opening a table", async () => {
  await rulesOf("oware");
  const seeds = screen.getByLabelText("Seeds in each pit");
  await userEvent.clear(seeds);
  expect(seeds).toBeInvalid();
  await userEvent.type(seeds, "44");
  expect(seeds).toHaveAccessibleDescription(/Enter a whole number from 1 to 10/);
  screen.getByText("House rules").closest("details")!.open = false;
  await play();
  expect(asked).toBeNull();
  expect(seeds).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Watch bots play" }));
  expect(asked).toBeNull();
  await userEvent.clear(seeds);
  await userEvent.type(seeds, "6");
  await play();
  expect(asked?.game.params).toEqual({ seeds: 6 });
});

it("changes heaps by keys alone", async () => {
  await rulesOf("nim");
  const heaps = screen.getByRole("group", { name: "Heaps" });
  const remove = within(heaps).getByRole("button", { name: "Remove the last" });
  await userEvent.click(remove);
  await userEvent.click(remove);
  await userEvent.tab({ shift: true });
  await userEvent.keyboard("{Enter}");
  expect(within(heaps).getByLabelText("Heap 3")).toHaveValue(3);
  await userEvent.clear(within(heaps).getByLabelText("Heap 1"));
  await userEvent.keyboard("12");
  await play();
  expect(asked?.game.params).toEqual({ heaps: [12, 3, 3] });
});

it("turns a list on as a whole, and offers nothing that a series sets", async () => {
  await rulesOf("doppelkopf");
  expect(screen.queryByLabelText(/Points count times/)).toBeNull();
  await userEvent.click(screen.getByLabelText("Compulsory solos"));
  await play();
  expect(asked?.game.params).toEqual({ owed: [0, 1, 2, 3] });
});

it("shows a refusal beside the rules until something is changed", async () => {
  refusal = "nim: heaps: expected at most 32";
  await rulesOf("nim");
  await play();
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("These rules cannot be played: nim: heaps: expected at most 32");
  expect(alert.closest("form")).not.toBeNull();
  await userEvent.click(screen.getByLabelText("Taking the last stick loses"));
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("has a seat for every player, and names no agent where the rules are other ones", async () => {
  await rulesOf("kuhn");
  expect(screen.getByText("equilibrium(iterations=8)")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Players: one more" }));
  expect(screen.getByLabelText(/Seat 3/)).toBeInTheDocument();
  expect(screen.queryByText("equilibrium(iterations=8)")).not.toBeInTheDocument();
  await play();
  expect(asked).toMatchObject({ game: { params: { players: 3 } }, seats: [{ me: true }, {}, {}] });
});

it("has no section where there is nothing to change", async () => {
  setPrefs({ game: "tic_tac_toe" });
  render(<Lobby />);
  await screen.findByRole("button", { name: "Play Tic-Tac-Toe" });
  expect(screen.queryByText("House rules")).not.toBeInTheDocument();
});

it("falls back to the words of the server", async () => {
  const rule = { ...games[7]!.parameters[1]!, name: "new", help: "a rule without words" };
  const more = games.map((each) => ({ ...each, parameters: [...each.parameters, rule] }));
  vi.stubGlobal("fetch", (url: string) => Promise.resolve(new Response(url === "/api/games" ? JSON.stringify(more) : "[]")));
  await rulesOf("doppelkopf");
  expect(screen.getByLabelText("a rule without words")).not.toBeChecked();
});

it("speaks German and has no serious accessibility findings", async () => {
  for (const game of games.filter((each) => ["oware", "leduc", "nim"].includes(each.name))) {
    setPrefs({ language: "de", game: game.name });
    const { container, unmount } = render(<Lobby />);
    await userEvent.click(await screen.findByText("Hausregeln"));
    await waitFor(() => expect(container.querySelector("details[open]")).not.toBeNull());
    expect(await seriousFindings(container), game.name).toEqual([]);
    for (const rule of game.parameters) expect(screen.queryByText(rule.help), rule.name).not.toBeInTheDocument();
    unmount();
  }
}, 30_000);
