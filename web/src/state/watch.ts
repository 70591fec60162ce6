import type { ReactiveControllerHost } from "lit";
import type { Watched } from "./watched.ts";

/** Draws the element anew whenever one of these changes. They are asked for again at each drawing, so `app` may come late. */
export function watch(host: ReactiveControllerHost, read: () => readonly Watched<unknown>[]): void {
  let seen: readonly Watched<unknown>[] = [];
  let stops: readonly (() => void)[] = [];
  host.addController({
    hostConnected: () => host.requestUpdate(),
    hostUpdate() {
      const now = read();
      if (now.length === seen.length && now.every((one, index) => one === seen[index])) return;
      forget();
      seen = now;
      stops = now.map((one) => one.subscribe(() => host.requestUpdate()));
    },
    hostDisconnected: forget,
  });

  function forget(): void {
    for (const stop of stops) stop();
    seen = [];
    stops = [];
  }
}
