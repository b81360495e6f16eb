// Which page is shown: #/ the lobby, #/history, #/table/ID, #/record/ID (and /PLY, a place in it), #/rules/GAME.

import { useSyncExternalStore } from "react";

export type Route =
  | { page: "lobby" | "history" }
  | { page: "table" | "rules"; id: string }
  | { page: "record"; id: string; ply?: number };

/** A part of an address; undefined if it is none. */
function decoded(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

export function readRoute(hash: string): Route {
  const [, page, written, ply] = hash.replace(/^#/, "").split("/");
  const id = decoded(written);
  if (page === "history") return { page };
  if (id && page === "record" && ply && /^\d{1,6}$/.test(ply)) return { page, id, ply: Number(ply) };
  if (id && (page === "table" || page === "record" || page === "rules")) return { page, id };
  return { page: "lobby" };
}

export function hashOf(route: Route): string {
  if (!("id" in route)) return route.page === "lobby" ? "#/" : `#/${route.page}`;
  const place = route.page === "record" && route.ply !== undefined ? `/${route.ply}` : "";
  return `#/${route.page}/${encodeURIComponent(route.id)}${place}`;
}

export function go(route: Route): void {
  location.hash = hashOf(route);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return readRoute(hash);
}
