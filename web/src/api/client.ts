// Every request the page makes. A refused request becomes an ApiError with a code and words a person can read.

import type {
  AgentInfo,
  Beliefs,
  CurvePoint,
  Effort,
  GameInfo,
  Job,
  Kibitz,
  PaceRequest,
  RecordStep,
  Review,
  SeatRequest,
  Snapshot,
  StoredRecord,
  TableListing,
  TableOpened,
  TableOptions,
  TableRequest,
} from "./types";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

interface Call {
  method?: "GET" | "POST" | "DELETE";
  body?: unknown;
  token?: string | null;
  signal?: AbortSignal;
  /** An empty answer is enough: the snapshot comes over the live connection. */
  minimal?: boolean;
}

/** Sends one request and returns its JSON; throws ApiError for anything but success. */
export async function request<T>(path: string, call: Call = {}): Promise<T> {
  const { method = "GET", body, token, signal, minimal } = call;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (minimal) headers["Prefer"] = "return=minimal";
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "unreachable", "The server cannot be reached.");
  }
  const text = await response.text();
  let json: unknown = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    json = null;
  }
  if (response.ok) return json as T;
  throw refusal(response.status, json);
}

function refusal(status: number, json: unknown): ApiError {
  const error = (json as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const code = typeof error?.code === "string" ? error.code : `status_${status}`;
  const message = typeof error?.message === "string" ? error.message : `The server refused (${status}).`;
  return new ApiError(status, code, message);
}

const table = (id: string) => `/api/tables/${encodeURIComponent(id)}`;
const record = (id: string) => `/api/records/${encodeURIComponent(id)}`;

export const api = {
  games: () => request<GameInfo[]>("/api/games"),
  agents: (game: string) => request<AgentInfo[]>(`/api/agents?game=${encodeURIComponent(game)}`),

  tables: () => request<TableListing[]>("/api/tables"),
  openTable: (body: TableRequest) => request<TableOpened>("/api/tables", { method: "POST", body }),
  snapshot: (id: string, token: string | null) => request<Snapshot>(table(id), { token }),
  claim: (id: string, seat: number, name: string) =>
    request<{ seat: number; token: string }>(`${table(id)}/seats/${seat}`, { method: "POST", body: { name } }),
  leave: (id: string, seat: number, token: string) =>
    request<unknown>(`${table(id)}/seats/${seat}`, { method: "DELETE", token }),
  /** null: the snapshot comes over the live connection. With an amount, the action is the lowest of its choice. */
  act: (id: string, version: number, action: number | string, token: string | null, minimal = false, amount?: number) =>
    request<Snapshot | null>(`${table(id)}/actions`, {
      method: "POST",
      body: { version, action, ...(amount === undefined ? {} : { amount }) },
      token,
      minimal,
    }),
  undo: (id: string, version: number, token: string | null) =>
    request<Snapshot>(`${table(id)}/undo`, { method: "POST", body: { version }, token }),
  keepMove: (id: string, version: number, token: string | null) =>
    request<Snapshot>(`${table(id)}/undo?version=${version}`, { method: "DELETE", token }),
  resign: (id: string, game: number, token: string | null) =>
    request<Snapshot>(`${table(id)}/resign`, { method: "POST", body: { game }, token }),
  rematch: (id: string, wanted: boolean, token: string | null) =>
    request<Snapshot>(`${table(id)}/rematch`, { method: "POST", body: { wanted }, token }),
  say: (id: string, text: string, token: string | null) =>
    request<Snapshot>(`${table(id)}/chat`, { method: "POST", body: { text }, token }),
  wantKibitz: (id: string, wanted: boolean, token: string | null) =>
    request<Snapshot>(`${table(id)}/kibitz`, { method: "POST", body: { wanted }, token }),
  pace: (id: string, body: PaceRequest, token: string | null) =>
    request<Snapshot>(`${table(id)}/pace`, { method: "POST", body, token }),
  next: (id: string, token: string | null) => request<Snapshot | null>(`${table(id)}/next`, { method: "POST", token }),

  analysis: (
    id: string,
    body: { seat?: number; version?: number; effort: Effort },
    token: string | null,
    signal?: AbortSignal,
  ) => request<Kibitz>(`${table(id)}/analysis`, { method: "POST", body, token, signal }),
  beliefs: (id: string, seat: number | null, token: string | null, signal?: AbortSignal) =>
    request<Beliefs>(`${table(id)}/beliefs${seat === null ? "" : `?seat=${seat}`}`, { token, signal }),
  curve: (id: string, game: number, token: string | null) =>
    request<CurvePoint[]>(`${table(id)}/games/${game}/curve`, { token }),

  gameRecord: (id: string, game: number, token: string | null) =>
    request<Record<string, unknown>>(`${table(id)}/games/${game}/record`, { token }),
  share: (id: string, game: number, token: string | null) =>
    request<{ record: string }>(`${table(id)}/games/${game}/share`, { method: "POST", token }),
  uploadRecord: (body: unknown) => request<{ record: string }>("/api/records", { method: "POST", body }),
  record: (id: string) => request<StoredRecord>(record(id)),
  recordAnalysis: (id: string, body: { ply: number; seat: number; effort: Effort }, signal?: AbortSignal) =>
    request<Kibitz>(`${record(id)}/analysis`, { method: "POST", body, signal }),
  recordBeliefs: (id: string, ply: number, seat: number, signal?: AbortSignal) =>
    request<Beliefs>(`${record(id)}/beliefs?ply=${ply}&seat=${seat}`, { signal }),
  tryAction: (id: string, ply: number, action: number) =>
    request<RecordStep>(`${record(id)}/tries`, { method: "POST", body: { ply, action } }),
  playOn: (id: string, body: { ply: number; seats: SeatRequest[]; options: Partial<TableOptions> }) =>
    request<TableOpened>(`${record(id)}/tables`, { method: "POST", body }),
  keptReview: (id: string) => request<Review | null>(`${record(id)}/review`),
  review: (id: string, effort: Effort) =>
    request<{ job: string }>(`${record(id)}/review`, { method: "POST", body: { effort } }),
  job: (id: string, signal?: AbortSignal) => request<Job>(`/api/jobs/${encodeURIComponent(id)}`, { signal }),
  cancelJob: (id: string) => request<unknown>(`/api/jobs/${encodeURIComponent(id)}`, { method: "DELETE" }),
};
