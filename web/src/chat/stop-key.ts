// Esc twice stops what is under way. That one more press is needed is said no longer than it is true.
import type { App } from "../app/app.ts";

const twiceMs = 3000;

export type StopKeyDeps = { app(): App; isWorking(): boolean; stop(): void };
export type StopKey = { pressed(event: KeyboardEvent): void; forget(): void };

export function openStopKey(deps: StopKeyDeps): StopKey {
  let takeHintAway: (() => void) | undefined;
  return { pressed, forget };

  function pressed(event: KeyboardEvent): void {
    const isElsewhere =
      event.defaultPrevented || event.composedPath().some((node) => node instanceof HTMLDialogElement);
    if (event.key !== "Escape" || isElsewhere || !deps.isWorking()) return;
    const isSecond = takeHintAway !== undefined;
    forget();
    if (isSecond) {
      deps.stop();
      return;
    }
    const takeAway = deps.app().say("Press Esc once more to stop");
    const over = setTimeout(forget, twiceMs);
    takeHintAway = () => {
      clearTimeout(over);
      takeAway();
    };
  }

  function forget(): void {
    takeHintAway?.();
    takeHintAway = undefined;
  }
}
