// Which page is shown: #/ the lobby, #/table/ID, #/record/ID, #/rules/GAME.

import { useSyncExternalStore } from "react";

export type Route = { page: "lobby" } | { page: "table"; id: string } | { page: "record"; id: string } | { page: "rules"; id: string };

export function readRoute(hash: string): Route {
  const [, page, id] = hash.replace(/^#/, "").split("/");
  if (id && (page === "table" || page === "record" || page === "rules")) return { page, id: decodeURIComponent(id) };
  return { page: "lobby" };
}

export function hashOf(route: Route): string {
  return route.page === "lobby" ? "#/" : `#/${route.page}/${encodeURIComponent(route.id)}`;
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
