import { expect, test } from "vitest";
import { openAddress } from "./address.ts";

/** As much of a browser as an address needs, with a history that a test can walk. */
function browserAt(path: string) {
  const listeners: (() => void)[] = [];
  const visited = [path];
  const location = { origin: "http://127.0.0.1:18789", pathname: path, search: "" };
  const browser = {
    location,
    history: {
      pushState(_state: unknown, _title: string, to: string) {
        visited.push(to);
        location.pathname = to;
      },
      replaceState(_state: unknown, _title: string, to: string) {
        visited[visited.length - 1] = to;
        location.pathname = to;
      },
    },
    addEventListener: (_type: string, listener: () => void) => listeners.push(listener),
  } as unknown as Window;
  const back = (to: string) => {
    location.pathname = to;
    for (const listener of listeners) listener();
  };
  return { browser, visited, back };
}

test("going somewhere is told and can be walked back", () => {
  const { browser, visited, back } = browserAt("/");
  const address = openAddress(browser);
  const told: string[] = [];
  address.path.subscribe((path) => told.push(path));
  address.go("/chat/web--42");
  back("/");
  expect(told).toEqual(["/chat/web--42", "/"]);
  expect(visited).toEqual(["/", "/chat/web--42"]);
});

test("what replaces where one was is told, and the way back leads past it", () => {
  const { browser, visited } = browserAt("/");
  const address = openAddress(browser);
  address.go("/memory");
  address.go("/memory/search/anna", { replaces: true });
  expect(address.path.value).toBe("/memory/search/anna");
  expect(visited).toEqual(["/", "/memory/search/anna"]);
});

test("going where one is adds nothing to the history", () => {
  const { browser, visited } = browserAt("/inbox");
  openAddress(browser).go("/inbox");
  expect(visited).toEqual(["/inbox"]);
});

test.each(["//example.org/x", "https://example.org/", "javascript:alert(1)"])(
  "%s is no page of this window",
  (path) => {
    const { browser, visited } = browserAt("/");
    const address = openAddress(browser);
    address.go(path);
    expect(address.path.value).toBe("/");
    expect(visited).toEqual(["/"]);
  },
);
