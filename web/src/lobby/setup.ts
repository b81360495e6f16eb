// From what a person chose in the lobby to the request that opens a table.

import type { GameInfo, SeatRequest, TableRequest } from "../api/types";
import type { SeatChoice, SetupChoice } from "../prefs";

export const PACES = { fast: 250, normal: 700, slow: 1500 } as const;
export const SERIES = [1, 4, 8, 12, 24] as const;

/** The strength that is offered first: strong where the game has it, else its last one. */
export function usualStrength(game: GameInfo): string {
  const keys = game.strengths.map((each) => each.key);
  return keys.includes("strong") ? "strong" : (keys.at(-1) ?? "");
}

/** What one click plays: the person first, strong bots at all other seats. */
export function usualSetup(game: GameInfo): SetupChoice {
  const strength = usualStrength(game);
  return {
    preset: null,
    seats: Array.from({ length: game.players }, (_, seat) => ({ kind: seat === 0 ? "me" : "bot", strength })),
    fair: false,
    open: false,
    games: null,
    pace: PACES.normal,
  };
}

/** A remembered choice as far as it still fits the game. */
export function fittingSetup(game: GameInfo, stored: SetupChoice | undefined): SetupChoice {
  const usual = usualSetup(game);
  if (!stored) return usual;
  const keys = new Set(game.strengths.map((each) => each.key));
  const seats = usual.seats.map((seat, i) => {
    const old = stored.seats[i];
    return old ? { kind: old.kind, strength: keys.has(old.strength) ? old.strength : seat.strength } : seat;
  });
  const preset = game.presets.some((each) => each.name === stored.preset) ? stored.preset : null;
  return { ...usual, ...stored, seats, preset };
}

/** Seats after one of them was changed: a person sits on one seat only. */
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

export function tableRequest(game: GameInfo, setup: SetupChoice, name: string): TableRequest {
  return {
    game: setup.preset ? { name: game.name, preset: setup.preset } : { name: game.name },
    seats: setup.seats.map((seat) => seatRequest(seat, name)),
    options: { fair: setup.fair, open: setup.open, games: setup.games, pace_ms: setup.pace, language: null },
  };
}

/** The same table with bots at every seat, open to look at. */
export function botsRequest(game: GameInfo, setup: SetupChoice): TableRequest {
  const seats = setup.seats.map((seat) => ({ ...seat, kind: "bot" as const }));
  return tableRequest(game, { ...setup, seats, open: true, fair: false }, "");
}
