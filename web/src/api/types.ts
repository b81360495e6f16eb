// The JSON that the server speaks: tables, snapshots, kibitz, reviews and records.

export type Language = "en" | "de";
export type Words<T> = Record<Language, T>;

// --- Games and tables -------------------------------------------------------------------------------------------------

type ParamValue = boolean | number | string;
export type Params = Record<string, ParamValue | ParamValue[]>;

export interface Preset {
  name: string;
  help: string;
  /** The parameters that it sets; all others have their default. */
  values: Params;
}

/** A rule that can be changed. A list has a length, fewest and most; numbers have a range. */
export interface Parameter {
  name: string;
  help: string;
  type: "boolean" | "integer" | "number" | "text";
  default: ParamValue | ParamValue[];
  low: number | null;
  high: number | null;
  choices: string[];
  length: [number, number] | null;
}

/** A strength in words and the agent behind it. */
export interface Strength {
  key: string;
  spec: string;
  /** Its mean payoff in games against the other strengths, with a 95 % interval; null for what was not measured. */
  rating?: { value: number; low: number; high: number; games: number } | null;
}

/** What people count in: a payoff `v` is shown as `zero + scale * v`. */
export interface Unit {
  /** What a loss is counted in, within a sentence. */
  name: Words<string>;
  /** What a value is, above a column of numbers. */
  title: Words<string>;
  /** What stands behind a number. */
  short: Words<string>;
  digits: number;
  /** Losses of less are not worth mentioning. */
  small: number;
  scale: number;
  zero: number;
}

export interface GameInfo {
  name: string;
  title: string;
  players: number;
  hidden: boolean;
  presets: Preset[];
  parameters: Parameter[];
  strengths: Strength[];
  /** The preset that the strengths were rated with; null: the rules of the library's own. */
  rated?: string | null;
  unit?: Unit;
  /** Whether it has a guided first game. */
  lesson?: boolean;
  facts?: GameFacts;
}

/** What is true of a game by its declaration, whoever wrote it. */
export interface GameFacts {
  chance: boolean;
  utility: string;
  repetition: boolean;
  max_length: number;
  min_payoff: number;
  max_payoff: number;
  /** What can be done, by the names of the rules. */
  kinds: string[];
}

export interface AgentOption {
  name: string;
  type?: string;
  default?: unknown;
  min?: number | null;
  max?: number | null;
  help?: string;
}

export interface AgentInfo {
  name: string;
  help?: string;
  options: AgentOption[];
}

export type SeatRequest =
  | { kind: "person"; name: string; me?: boolean }
  | { kind: "open" }
  | { kind: "bot"; strength: string }
  | { kind: "bot"; spec: string };

export interface TableOptions {
  fair: boolean;
  open: boolean;
  games: number | null;
  pace_ms: number;
  language?: Language | null;
  /** Two players change seats after each game, so that each begins every other one. */
  alternate?: boolean;
  /** Time to think for each person in a game, and what every move adds; null or left out: no clock. */
  chat?: boolean;
  clock_seconds?: number | null;
  increment_seconds?: number;
}

export interface TableRequest {
  game: { name: string; preset?: string; params?: Params };
  seats: SeatRequest[];
  options: TableOptions;
  /** The prepared deal of a guided first game. */
  lesson?: boolean;
}

/** What the opener of a table gets: a seat with its token, or the owner's token at a table of bots. */
export interface TableOpened {
  table: string;
  seat: number | null;
  token: string | null;
  owner?: string | null;
}

export type SeatKind = "person" | "open" | "bot";

export interface TableListing {
  table: string;
  game: { name: string; title: string };
  seats: { name: string; kind: SeatKind }[];
  /** Length of the series, and how much of it was played. */
  games: number | null;
  played: number;
  over: boolean;
}

// --- Snapshot ---------------------------------------------------------------------------------------------------------

export type Role = "seat" | "public" | "all";

export interface SeatInfo {
  name: string;
  kind: SeatKind;
  connected?: boolean;
  strength?: string | null;
  spec?: string | null;
}

/** Something that can be done now. Its kind says what it is (a card, a raise), its amount how much. */
export interface LegalAction {
  action: number;
  name: string;
  code?: string | null;
  kind?: string;
  amount?: number | null;
}

/** What a person chooses from: one action, or a run of them that differ by an amount only. */
export interface Choice {
  kind: string;
  /** The action; that of the lowest amount in a run. */
  action: number;
  name: string;
  /** The amounts of a run. */
  low?: number;
  high?: number;
  step?: number;
  unit?: string | null;
}

export interface SeatView<F = Record<string, unknown>, O = Record<string, unknown>> {
  fields: F;
  outline: O | null;
  legal: LegalAction[];
  choices?: Choice[];
  /** The view as text, for games that the page draws in a generic way. */
  text?: string;
}

export interface LogEntry {
  seat: number | null;
  kind: string;
  text: Words<string>;
}

export interface Over {
  returns: number[];
  result: Record<string, unknown>;
  words: Words<string[]>;
  seed: number | null;
  record: boolean;
}

export interface Control {
  /** Whether the reader has a move to take back. */
  undo: boolean;
  /** The seats that want a move to be taken back; the first is the one whose move it is. */
  undoing: number[];
  /** What giving up would mean for the reader, if it is possible: the game is lost, or a bot plays it to its end. */
  resign: "loss" | "bot" | null;
  /** The seats that have given up this game. */
  resigned: number[];
  /** The seats that want another series. */
  rematching: number[];
  /** Whether the kibitz may be asked, and the seats that want it although others play. */
  kibitz: boolean;
  kibitzing: number[];
  pace_ms: number;
  paused: boolean;
}

/** How fast bots move from now on, whether they wait, and one move while they do. */
export interface PaceRequest {
  pace_ms?: number;
  paused?: boolean;
  step?: boolean;
}

/** Milliseconds that each person had left when this was sent, null for bots, and whose clock runs. */
export interface ClockState {
  left: (number | null)[];
  running: number | null;
}

/** What was said at the table lately, and whether there is somebody to write to. */
export interface ChatState {
  open: boolean;
  lines: { number: number; name: string; text: string }[];
}

export interface Score {
  games: number[][];
  totals: number[];
  /** The seats in the order of the first game: whoever changes seats keeps the column. */
  columns?: number[];
  /** Which game of the series this is, and whether the series is over; deals that were thrown in do not count. */
  place: number;
  last: boolean;
}

export interface Snapshot<P = Record<string, unknown>, F = Record<string, unknown>, O = Record<string, unknown>> {
  table: string;
  version: number;
  game: { name: string; title: string; players: number; hidden: boolean; params: Params; unit?: Unit };
  options: TableOptions;
  number: number;
  role: Role;
  you: number | null;
  seats: SeatInfo[];
  turn: number | null;
  phase: string;
  public: P;
  views: Record<string, SeatView<F, O>>;
  prompt: { kind: string; until: number | null } | null;
  log: LogEntry[];
  history: string[];
  over: Over | null;
  score: Score;
  /** Not in positions of a record. */
  control?: Control;
  clock?: ClockState | null;
  /** Null: switched off at this table. */
  chat?: ChatState | null;
}

// --- Kibitz -----------------------------------------------------------------------------------------------------------

export type Effort = "quick" | "normal" | "deep";

/** How the game ends after an action if everybody plays well, where that is proven. */
export type Outcome = "won" | "drawn" | "lost";

/** What a value is worth: it follows from the rules, or only its bound does, or neither. */
export type Status = "proven" | "bounded" | "estimated";

/** Whether the true value is at least or at most the one that is given. */
export type Bound = "none" | "lower" | "upper";

export interface KibitzAction extends LegalAction {
  visits: number;
  share: number;
  value: number;
  error: number | null;
  exact: boolean;
  status: Status;
  bound: Bound;
  outcome?: Outcome | null;
  /** The probability that a net gives it without looking ahead, where there is a net. */
  prior?: number | null;
}

export interface Kibitz {
  seat: number;
  version: number;
  /** Public changes of the game so far: where the curve has this decision. */
  ply: number;
  spec: string;
  method: string;
  value: number;
  status: Status;
  bound: Bound;
  /** What a net expects without looking ahead, where there is one. */
  prior_value?: number | null;
  best: number;
  /** All actions that are as good as the best one; none where every action loses. */
  good?: number[];
  actions: KibitzAction[];
  line: string[];
  worlds: number;
  seconds: number;
}

export interface Beliefs {
  cards: Record<string, number[]>;
  worlds: { hands: unknown[] }[];
  exact: boolean;
}

export interface CurvePoint {
  ply: number;
  seat: number;
  value: number;
}

// --- Records and reviews ----------------------------------------------------------------------------------------------

/** A position with all hands open, and what is played next. A record knows nothing of tables and series. */
export type RecordStep = Partial<Snapshot> & {
  ply?: number;
  seat?: number | null;
  action?: number | null;
  name?: string | null;
  kind?: string | null;
};

export interface StoredRecord {
  record: Record<string, unknown>;
  game: Snapshot["game"];
  seats: { name: string; strength: string | null }[];
  steps: RecordStep[];
  /** Where the game was played, if that was here. */
  table?: { id: string; number: number } | null;
}

/** An action that could have been chosen, and what it would have cost. */
export interface ReviewOption {
  action: number;
  name: string;
  lost: number | null;
  outcome: Outcome | null;
  mistake: boolean;
  best: boolean;
}

/** A decision compared with the best one; the numbers are null if there was nothing to compare. */
export interface ReviewDecision {
  ply: number;
  seat: number;
  /** The phase that it belongs to. */
  decision: string;
  /** Where in the game it stands, in the game's own terms. */
  place: Record<string, unknown>;
  played: string;
  best: string;
  /** All that would have been as good as the best; none in a lost position. */
  good: string[];
  outcome: Outcome | null;
  best_outcome: Outcome | null;
  /** Whether the loss is proven; reviews that were kept from before do not say. */
  status?: "proven" | "estimated" | null;
  /** All that could have been chosen instead of a mistake. */
  options: ReviewOption[];
  value: number | null;
  best_value: number | null;
  lost: number | null;
  error: number | null;
  worlds: number;
  mistake: boolean;
  forced: boolean;
}

export interface Review {
  spec: string;
  decisions: ReviewDecision[];
  effort?: Effort;
  players: { seat: number; decisions: number; mistakes: number; lost: number; lost_by_mistakes: number }[];
  worst: number[];
  words: Words<string[]>;
  curve: CurvePoint[];
}

export interface Job {
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  progress: number;
  result: Review | null;
}

// --- Live messages ----------------------------------------------------------------------------------------------------

export type LiveMessage =
  | { type: "snapshot"; snapshot: Snapshot }
  | { type: "ping" }
  | { type: "error"; error?: { code: string; message: string }; message?: string };
