import type { Route } from "../../contract/room/route.ts";

export type Matched = { route: Route; params: Readonly<Record<string, string>> };

/** The routes whose path fits, by method; a path that is spelled out wins over one with a placeholder. */
export function matchRoutes(routes: readonly Route[], segments: readonly string[]): ReadonlyMap<string, Matched> {
  const found = new Map<string, Matched>();
  for (const route of routes) {
    const params = matchPath(route.path, segments);
    const rival = found.get(route.method);
    if (params && (!rival || Object.keys(params).length < Object.keys(rival.params).length))
      found.set(route.method, { route, params });
  }
  return found;
}

function matchPath(path: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = path.slice(1).split("/");
  if (parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? "";
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
