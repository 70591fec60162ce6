import { openWatched, type Watched } from "../state/watched.ts";

export type Address = {
  path: Watched<string>;
  /** `replaces`: the way back does not lead to where one was. */
  go(path: string, options?: { replaces: boolean }): void;
};

/** The browser's address as a value; going somewhere adds to the history and loads nothing. */
export function openAddress(browser: Window): Address {
  const path = openWatched(here());
  browser.addEventListener("popstate", () => path.set(here()));
  return {
    path,
    go(to, { replaces } = { replaces: false }) {
      const url = new URL(to, browser.location.origin);
      // a path that leads elsewhere, such as //example.org, is no page of this window
      if (url.origin !== browser.location.origin) return;
      const target = url.pathname + url.search;
      if (target !== here()) browser.history[replaces ? "replaceState" : "pushState"](null, "", target);
      path.set(target);
    },
  };

  function here(): string {
    return browser.location.pathname + browser.location.search;
  }
}

/** The path of a plain click on a link to this window's own pages; other clicks are the browser's business. */
export function ownPathOf(event: MouseEvent, origin: string): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement);
  if (!link || link.target || link.hasAttribute("download")) return undefined;
  const url = new URL(link.href, origin);
  const isFile = url.pathname.startsWith("/api/") || url.pathname.startsWith("/assets/");
  return url.origin === origin && !isFile ? url.pathname + url.search : undefined;
}
