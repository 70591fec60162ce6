import type { Page } from "./app.ts";

export type Route<AnyPage extends Page = Page> = {
  /** Undefined: there is no such page. */
  page: AnyPage | undefined;
  rest: readonly string[];
};

/** `/chat/web--42` → the page `chat` with `["web--42"]`; the bare origin is the first page. */
export function readRoute<AnyPage extends Page>(pages: readonly AnyPage[], path: string): Route<AnyPage> {
  const parts = readParts(path);
  if (!parts) return { page: undefined, rest: [] };
  const [name, ...rest] = parts;
  if (name === undefined) return { page: pages[0], rest: [] };
  return { page: pages.find((page) => page.path === name), rest };
}

/** The conversation that is open, if one is. */
export function openSessionKey(route: Route): string | undefined {
  return route.page?.path === "chat" ? route.rest[0] : undefined;
}

export function windowTitle(place: string, waiting: number): string {
  const count = waiting > 0 ? `(${waiting}) ` : "";
  return `${count}${place} · Steward`;
}

function readParts(path: string): readonly string[] | undefined {
  try {
    const [withoutQuery = ""] = path.split(/[?#]/, 1);
    return withoutQuery.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    // a percent sign with nonsense behind it: no page has such an address
    return undefined;
  }
}
