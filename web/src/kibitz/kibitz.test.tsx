// The kibitz panel with real analyses: what it asks, what it shows, and when it keeps quiet.

import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../api/client";
import type { Kibitz, Snapshot } from "../api/types";
import { setPrefs } from "../prefs";
import { analysed, recordOf, stepOf, watched } from "../test/records";
import { anyControl } from "../test/table";
import { KibitzPanel } from ".";
import { rangeOf, spanOf } from "./Curve";
import { addPoint, columnsOf, curveKey, inUnits, pointsOf } from "./curve";
import { heat, shortLabel } from "./HeatMap";
import { ranked, scaleOf } from "./Options";

vi.setConfig({ testTimeout: 20_000 });

const plots: { data: unknown; options: { series: unknown[] } }[] = [];
vi.mock("uplot", () => ({
  default: class {
    static pxRatio = 1;
    over = document.createElement("div");
    cursor = {};
    constructor(
      public options: { series: unknown[] },
      public data: unknown,
    ) {
      plots.push(this);
    }
    destroy() {}
    redraw() {}
    setSize() {}
  },
}));

beforeEach(() => {
  plots.length = 0;
  setPrefs({ language: "en" });
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

function answering(kibitz: Kibitz) {
  return vi.spyOn(api, "analysis").mockResolvedValue(kibitz);
}

describe("while playing", () => {
  it("asks for the viewer's analysis and shows every option, the best first", async () => {
    const { snapshot, kibitz } = analysed("oware");
    const asked = answering(kibitz);
    render(<KibitzPanel snapshot={{ ...snapshot, table: "one" }} token="secret" />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(asked).toHaveBeenCalledWith("one", { version: 9, effort: "quick" }, "secret", expect.any(AbortSignal));
    const rows = (await screen.findAllByRole("row")).slice(1, 7);
    expect(rows).toHaveLength(kibitz.actions.length);
    const best = kibitz.actions.find((entry) => entry.action === kibitz.best);
    expect(within(rows[0] as HTMLElement).getByText("best")).toBeInTheDocument();
    expect(rows[0]).toHaveTextContent(best?.name ?? "?");
    expect(screen.getByText("Best line")).toBeInTheDocument();
    expect(screen.getByText(kibitz.spec)).toBeInTheDocument();
    expect(screen.getByText(/0\.25 s/)).toBeInTheDocument();
    expect(pointsOf(curveKey("one", 1))).toEqual([{ ply: 5, seat: 0, value: kibitz.value }]);
    await waitFor(() => expect(plots).toHaveLength(1));
  });

  it("says in plain words what is proven, bounded and estimated, in both languages", async () => {
    const { snapshot, kibitz } = analysed("oware");
    const [first, second, third] = kibitz.actions.map((entry) => ({ ...entry, value: 0.5, error: 0 }));
    if (!first || !second || !third) throw new Error("three options expected");
    const actions: Kibitz["actions"] = [
      { ...first, exact: true, status: "proven", bound: "none" },
      { ...second, exact: false, status: "bounded", bound: "lower" },
      { ...third, exact: false, status: "estimated", bound: "upper" },
    ];
    answering({ ...kibitz, actions, best: first.action, good: [first.action], value: 0.5, status: "bounded", bound: "lower" });
    const shown = async (language: "en" | "de", ask: string) => {
      setPrefs({ language });
      const { container, unmount } = render(<KibitzPanel snapshot={{ ...snapshot, table: language }} token={null} />);
      await userEvent.click(screen.getByRole("button", { name: ask }));
      const said = (await screen.findAllByRole("row")).slice(1, 4).map((row) => row.querySelector(".visually-hidden")?.textContent);
      const whole = container.querySelector(".kb-value-line")?.textContent ?? "";
      unmount();
      return [whole.replace(/^.*: /, ""), ...said];
    };
    expect(await shown("en", "Ask for advice")).toEqual([
      "at least +24 (the bound is proven)",
      "+24 (proven)",
      "at least +24 (the bound is proven)",
      "at most +24 (estimated)",
    ]);
    expect(await shown("de", "Um Rat fragen")).toEqual([
      "mindestens +24 (die Grenze ist bewiesen)",
      "+24 (bewiesen)",
      "mindestens +24 (die Grenze ist bewiesen)",
      "höchstens +24 (geschätzt)",
    ]);
  });

  it("shows what a net thinks without looking ahead beside the search, in both languages", async () => {
    const { snapshot, kibitz } = analysed("oware");
    const unit = { ...snapshot.game, unit: undefined };
    const actions = kibitz.actions.map((entry, i) => ({ ...entry, prior: i === 0 ? 0.62 : 0.076 }));
    answering({ ...kibitz, actions, prior_value: 0.25 });
    for (const [language, ask, words, title] of [
      ["en", "Ask for advice", "The net alone, without looking ahead: +0.25", "Net"],
      ["de", "Um Rat fragen", "Das Netz allein, ohne vorauszurechnen: +0,25", "Netz"],
    ] as const) {
      setPrefs({ language });
      const table = `net-${language}`;
      const { unmount } = render(<KibitzPanel snapshot={{ ...snapshot, game: unit, table }} token={null} />);
      await userEvent.click(screen.getByRole("button", { name: ask }));
      expect(await screen.findByText(words)).toBeInTheDocument();
      expect(screen.getByRole("columnheader", { name: title })).toBeInTheDocument();
      expect(screen.getByRole("cell", { name: "62 %" })).toBeInTheDocument();
      expect(screen.getAllByRole("cell", { name: language === "en" ? "7.6 %" : "7,6 %" })).toHaveLength(actions.length - 1);
      unmount();
    }
  });

  it("keeps quiet about nets where there is none", async () => {
    const { snapshot, kibitz } = analysed("oware");
    answering(kibitz);
    render(<KibitzPanel snapshot={{ ...snapshot, table: "netless" }} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    await screen.findByText("Best line");
    expect(screen.queryByRole("columnheader", { name: "Net" })).not.toBeInTheDocument();
    expect(screen.queryByText(/The net alone/)).not.toBeInTheDocument();
  });

  it("remembers the effort", async () => {
    const { snapshot } = analysed("oware");
    const { unmount } = render(<KibitzPanel snapshot={snapshot} token={null} />);
    await userEvent.selectOptions(screen.getByLabelText("Effort"), "deep");
    unmount();
    render(<KibitzPanel snapshot={snapshot} token={null} />);
    expect(screen.getByLabelText("Effort")).toHaveValue("deep");
  });

  it("can be cancelled, and the request with it", async () => {
    const { snapshot } = analysed("oware");
    let signal: AbortSignal | undefined;
    vi.spyOn(api, "analysis").mockImplementation((_id, _body, _token, given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    render(<KibitzPanel snapshot={snapshot} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(screen.getByText("Thinking …")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(signal?.aborted).toBe(true);
    expect(screen.getByRole("button", { name: "Ask for advice" })).toBeEnabled();
  });

  it("gives up when the position moves on, and marks an older answer", async () => {
    const { snapshot, kibitz } = analysed("oware");
    let finish: (kibitz: Kibitz) => void = () => undefined;
    let signal: AbortSignal | undefined;
    vi.spyOn(api, "analysis").mockImplementation((_id, _body, _token, given) => {
      signal = given;
      return new Promise((resolve) => (finish = resolve));
    });
    const { rerender } = render(<KibitzPanel snapshot={{ ...snapshot, table: "two" }} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    await act(async () => finish(kibitz));
    rerender(<KibitzPanel snapshot={{ ...snapshot, table: "two", version: 11 }} token={null} />);
    expect(screen.getByText("This was for an earlier position.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    rerender(<KibitzPanel snapshot={{ ...snapshot, table: "two", version: 12 }} token={null} />);
    expect(signal?.aborted).toBe(true);
  });

  it("tells spectators that the game went on before there was an answer, until they ask again", async () => {
    const { snapshot } = analysed("leduc");
    vi.spyOn(api, "analysis").mockImplementation(() => new Promise(() => undefined));
    const watched: Snapshot = { ...snapshot, role: "all", you: null };
    const { rerender } = render(<KibitzPanel snapshot={watched} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(screen.queryByText(/The game went on/)).not.toBeInTheDocument();
    rerender(<KibitzPanel snapshot={{ ...watched, version: watched.version + 1 }} token={null} />);
    expect(screen.getByText(/The game went on/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(screen.queryByText(/The game went on/)).not.toBeInTheDocument();
  });

  it("says what went wrong", async () => {
    const { snapshot } = analysed("oware");
    vi.spyOn(api, "analysis").mockRejectedValue(new ApiError(422, "invalid", "effort: expected quick"));
    render(<KibitzPanel snapshot={snapshot} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("effort: expected quick");
  });

  it("waits where the seat has nothing to decide", () => {
    const { snapshot } = analysed("oware");
    const idle = { ...snapshot, turn: 1, views: { "0": { fields: {}, outline: null, legal: [] } } };
    render(<KibitzPanel snapshot={idle} token={null} />);
    expect(screen.getByRole("button", { name: "Ask for advice" })).toBeDisabled();
  });
});

describe("who may ask", () => {
  it("keeps quiet against others until everybody wants it", async () => {
    const { snapshot } = analysed("oware");
    const wish = vi.spyOn(api, "wantKibitz").mockResolvedValue(snapshot);
    const control = anyControl({ kibitz: false });
    const you = snapshot.you as number;
    const { rerender } = render(<KibitzPanel snapshot={{ ...snapshot, control }} token="t" />);
    await userEvent.click(screen.getByRole("button", { name: "I want the kibitz" }));
    expect(wish).toHaveBeenLastCalledWith(snapshot.table, true, "t");
    rerender(<KibitzPanel snapshot={{ ...snapshot, control: { ...control, kibitzing: [you] } }} token="t" />);
    await userEvent.click(screen.getByRole("button", { name: "Rather not" }));
    expect(wish).toHaveBeenLastCalledWith(snapshot.table, false, "t");
    rerender(<KibitzPanel snapshot={{ ...snapshot, you: null, role: "public", control }} token={null} />);
    expect(screen.queryByRole("button")).not.toBeInTheDocument();
  });

  it.each(["seat", "public", "all"] as const)("is off at fair tables, with a friendly word (%s)", (role) => {
    const { snapshot } = analysed("oware");
    const fair = { ...snapshot, role, options: { ...snapshot.options, fair: true } };
    render(<KibitzPanel snapshot={fair} token={null} />);
    expect(screen.getByText(/fair table/)).toBeInTheDocument();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("offers no curve once the game is over and nobody has asked", () => {
    vi.spyOn(api, "curve").mockResolvedValue([]);
    const { snapshot } = analysed("oware");
    const { rerender } = render(<KibitzPanel snapshot={{ ...snapshot, table: "quiet" }} token={null} />);
    expect(screen.getByText("Each analysis adds a point.")).toBeInTheDocument();
    const over = { returns: [1, -1], result: {}, words: { en: [], de: [] }, seed: null, record: true };
    rerender(<KibitzPanel snapshot={{ ...snapshot, table: "quiet", over }} token={null} />);
    expect(screen.queryByText("Expected result over the game")).not.toBeInTheDocument();
  });

  it("tells spectators that it looks over shoulders", () => {
    render(<KibitzPanel snapshot={watched("oware", 0)} token={null} />);
    expect(screen.getByText(/over a player's shoulder/)).toBeInTheDocument();
  });

  it("lets spectators who see everything choose the seat", async () => {
    const { kibitz } = analysed("oware");
    const asked = answering(kibitz);
    render(<KibitzPanel snapshot={stepOf("oware", 1)} token={null} />);
    await userEvent.click(screen.getByRole("button", { name: "Ask for advice" }));
    expect(asked.mock.calls[0]?.[1]).toMatchObject({ seat: 1 });
    await userEvent.selectOptions(screen.getByLabelText("Over whose shoulder"), "Ada");
    expect(screen.getByRole("button", { name: "Ask for advice" })).toBeDisabled();
  });

  it("shows the server's curve once the game is over", async () => {
    const curve = vi.spyOn(api, "curve").mockResolvedValue([
      { ply: 0, seat: 0, value: 0.1 },
      { ply: 1, seat: 1, value: -0.2 },
    ]);
    render(<KibitzPanel snapshot={{ ...stepOf("oware", -1), table: "three" }} token={null} />);
    expect(await screen.findByLabelText(/2 points, last −7 for Bot 2/)).toBeInTheDocument();
    expect(curve).toHaveBeenCalledWith("three", 1, null);
  });
});

describe("hidden cards", () => {
  async function open(snapshot: Snapshot) {
    render(<KibitzPanel snapshot={snapshot} token="secret" />);
    await userEvent.click(screen.getByText("Who holds what"));
  }

  it("draws 24 cards at three seats with exact numbers, grouped by trumps and suits", async () => {
    const { snapshot, beliefs } = analysed("doppelkopf");
    vi.spyOn(api, "beliefs").mockResolvedValue(beliefs);
    await open(snapshot);
    expect(await screen.findByText("Trumps")).toBeInTheDocument();
    expect(document.querySelectorAll(".hm-cell")).toHaveLength(24 * 3);
    const cell = document.querySelector<HTMLElement>(".hm-cell:not(.hm-none):not(.hm-hot)") as HTMLElement;
    const [code, seat] = (cell.dataset["cell"] ?? "").split(":");
    const p = beliefs.cards[code ?? ""]?.[Number(seat)] ?? -1;
    expect(cell).toHaveTextContent(String(Math.round(p * 100)));
    await userEvent.hover(cell);
    expect(document.querySelector(".hm-told")).toHaveTextContent(/\d+(\.\d)? per cent/);
  });

  it("walks over the grid by arrows", async () => {
    const { snapshot, beliefs } = analysed("doppelkopf");
    vi.spyOn(api, "beliefs").mockResolvedValue(beliefs);
    await open(snapshot);
    await screen.findByText("Trumps");
    const first = document.querySelector<HTMLElement>(".hm-cell[tabindex='0']");
    act(() => first?.focus());
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    expect(document.activeElement).not.toBe(first);
    expect(document.activeElement).toHaveClass("hm-cell");
    expect(document.querySelectorAll(".hm-cell[tabindex='0']")).toHaveLength(1);
  });

  it("lays worlds open, one at a time", async () => {
    const { snapshot, beliefs } = analysed("doppelkopf");
    vi.spyOn(api, "beliefs").mockResolvedValue(beliefs);
    await open(snapshot);
    await userEvent.click(await screen.findByRole("button", { name: "World 2" }));
    const hands = beliefs.worlds[1]?.hands as string[][];
    const others = hands.filter((_, seat) => seat !== snapshot.you);
    expect(document.querySelectorAll(".wd .mini-card")).toHaveLength(others.flat().length);
  });

  it("asks again for a new position", async () => {
    const { snapshot, beliefs } = analysed("leduc");
    const asked = vi.spyOn(api, "beliefs").mockResolvedValue(beliefs);
    localStorage.setItem("kiebitz.beliefs", "open");
    const { rerender } = render(<KibitzPanel snapshot={snapshot} token="secret" />);
    expect(await screen.findAllByText("20")).toHaveLength(5);
    rerender(<KibitzPanel snapshot={{ ...snapshot, version: 10 }} token="secret" />);
    await waitFor(() => expect(asked).toHaveBeenCalledTimes(2));
  });
});

describe("numbers behind the panel", () => {
  it("keeps one point for a decision and makes columns with gaps", () => {
    addPoint("k", { ply: 4, seat: 1, value: 2 });
    addPoint("k", { ply: 2, seat: 0, value: 1 });
    addPoint("k", { ply: 4, seat: 1, value: 3 });
    expect(columnsOf(pointsOf("k"))).toEqual({
      plies: [2, 4],
      seats: [0, 1],
      values: [
        [1, null],
        [null, 3],
      ],
    });
  });

  it("scales bars over all values, errors and zero", () => {
    const { kibitz } = analysed("doppelkopf");
    const { low, high } = scaleOf(kibitz.actions);
    for (const { value, error } of kibitz.actions) {
      expect(value - (error ?? 0)).toBeGreaterThanOrEqual(low);
      expect(value + (error ?? 0)).toBeLessThanOrEqual(high);
    }
    expect(low).toBeLessThanOrEqual(0);
    expect(ranked(kibitz)[0]?.action).toBe(kibitz.best);
  });

  it("keeps zero in the range of the curve", () => {
    expect(rangeOf(0, 0)).toEqual([-1, 1]);
    expect(rangeOf(1, 2)[0]).toBeLessThan(0);
    expect(rangeOf(-2, -1)).toEqual([-2.2, 0.2]);
  });

  it("shows the surroundings of a single point, and no more", () => {
    expect([[0], [14], [3, 5, 9]].map(spanOf)).toEqual([[0, 1], [13, 15], [3, 9]]);
  });

  it("draws a won game beyond all estimates, not as a number of seeds", () => {
    const { unit } = recordOf("oware").game;
    const curve = (...values: number[]) => inUnits(values.map((value, ply) => ({ ply, seat: 0, value })), unit!);
    const { points, edge } = curve(0, 5 / unit!.scale, 1, -1);
    expect(points.map((point) => Math.round(point.value))).toEqual([0, 5, edge, -edge!]);
    expect(edge).toBeGreaterThan(5);
    expect(edge).toBeLessThan(unit!.scale);
    expect(curve(0, 0.1).edge).toBeNull();
    const chips = recordOf("leduc").game.unit!;
    expect(inUnits([{ ply: 0, seat: 0, value: 1 }], chips)).toEqual({ points: [{ ply: 0, seat: 0, value: 1 }], edge: null });
  });

  it("keeps numbers readable on the colours", () => {
    expect(heat(0)).toBe(0);
    expect(heat(0.5)).toBe(0.5);
    expect(heat(0.51)).toBeGreaterThan(0.84);
    expect(heat(1)).toBe(1);
    expect([shortLabel("Bot 12"), shortLabel("Ada"), shortLabel("Grete")]).toEqual(["B12", "Ada", "Gret"]);
  });
});
