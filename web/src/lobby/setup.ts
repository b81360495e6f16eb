// From what a person chose in the lobby to the request that opens a table.

import type { GameInfo, Params, SeatRequest, TableOptions, TableRequest } from "../api/types";
import type { SeatChoice, SetupChoice } from "../prefs";
import { fittingRules, playersOf, usualPreset } from "../rules/rules";

export const PACES = { fast: 250, normal: 700, slow: 1500 } as const;
export const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "20+10"] as const;
export const SERIES = [1, 4, 8, 12, 24] as const;

/** The strength offered by default: strong if the game has it, else its last one. */
export function usualStrength(game: GameInfo): string {
  const keys = game.strengths.map((each) => each.key);
  return keys.includes("strong") ? "strong" : (keys.at(-1) ?? "");
}

/** What one click plays: the person first, strong bots at all other seats. */
export function usualSetup(game: GameInfo, players = game.players): SetupChoice {
  const strength = usualStrength(game);
  return {
    preset: usualPreset(game),
    rules: {},
    seats: Array.from({ length: players }, (_, seat) => ({ kind: seat === 0 ? "me" : "bot", strength })),
    fair: false,
    open: false,
    games: null,
    pace: PACES.normal,
    clock: null,
    chat: true,
  };
}

/** A remembered setup, without the parts that no longer fit the game. */
export function fittingSetup(game: GameInfo, stored: SetupChoice | undefined): SetupChoice {
  if (!stored) return usualSetup(game);
  const preset = game.presets.some((each) => each.name === stored.preset) ? stored.preset : usualPreset(game);
  const rules = fittingRules(game, { preset, rules: stored.rules ?? {} });
  const usual = usualSetup(game, playersOf(game, { preset, rules }) ?? stored.seats.length);
  const keys = new Set(game.strengths.map((each) => each.key));
  const seats = usual.seats.map((seat, i) => {
    const old = stored.seats[i];
    return old ? { kind: old.kind, strength: keys.has(old.strength) ? old.strength : seat.strength } : seat;
  });
  const gone = stored.seats.slice(seats.length).some((seat) => seat.kind === "me");
  if (gone && seats[0]) seats[0].kind = "me"; // the person's seat is gone
  return { ...usual, ...stored, seats, preset, rules };
}

/** The seats after one was changed; a person can sit on one seat only. */
export function changeSeat(seats: readonly SeatChoice[], index: number, to: SeatChoice): SeatChoice[] {
  return seats.map((seat, i) => {
    if (i === index) return to;
    return to.kind === "me" && seat.kind === "me" ? { ...seat, kind: "bot" } : seat;
  });
}

function seatRequest(seat: SeatChoice, name: string): SeatRequest {
  if (seat.kind === "me") return { kind: "person", name, me: true };
  if (seat.kind === "open") return { kind: "open" };
  return { kind: "bot", strength: seat.strength };
}

/**
 * Why hidden cards may not lie open for spectators: a player could watch in a second window. A single person against
 * bots may look, unless the table is fair.
 */
export function openRefused(game: GameInfo, setup: SetupChoice): "fair" | "people" | null {
  if (!game.hidden) return null;
  if (setup.fair) return "fair";
  return setup.seats.filter((seat) => seat.kind !== "bot").length > 1 ? "people" : null;
}

/** A clock as the server takes it. */
function clockRequest(clock: string | null): Pick<TableOptions, "clock_seconds" | "increment_seconds"> {
  const [minutes = 0, increment = 0] = (clock ?? "").split("+").map(Number);
  return minutes ? { clock_seconds: minutes * 60, increment_seconds: increment } : {};
}

export function tableRequest(game: GameInfo, setup: SetupChoice, name: string): TableRequest {
  const open = setup.open && openRefused(game, setup) === null;
  return {
    game: {
      name: game.name,
      ...(setup.preset ? { preset: setup.preset } : {}),
      ...(Object.keys(setup.rules).length > 0 ? { params: setup.rules as Params } : {}),
    },
    seats: setup.seats.map((seat) => seatRequest(seat, name)),
    options: {
      fair: setup.fair,
      open,
      games: setup.games,
      pace_ms: setup.pace,
      language: null,
      alternate: true,
      ...(setup.chat ? {} : { chat: false }),
      ...clockRequest(setup.clock),
    },
  };
}

/** A guided first game: the usual rules, a prepared deal or position, one game against easy bots. */
export function lessonRequest(game: GameInfo, name: string): TableRequest {
  const usual = usualSetup(game);
  const easy = game.strengths.some((each) => each.key === "casual") ? "casual" : usualStrength(game);
  const seats = usual.seats.map((seat) => ({ ...seat, strength: easy }));
  return { ...tableRequest(game, { ...usual, seats, pace: PACES.slow, games: 1 }, name), lesson: true };
}

/** The same table with bots at every seat, open for everybody to watch. */
export function botsRequest(game: GameInfo, setup: SetupChoice): TableRequest {
  const seats = setup.seats.map((seat) => ({ ...seat, kind: "bot" as const }));
  return tableRequest(game, { ...setup, seats, open: true, fair: false }, "");
}
