// Short lines that go away by themselves.
import type { Timers } from "../../gateway/timers.ts";
import { openWatched, type Watched } from "../../state/watched.ts";
import type { App, Tone } from "../app.ts";

export type Toast = {
  id: number;
  /** What it is about, where its words alone do not say. */
  title?: string;
  text: string;
  tone: Tone;
  action?: { label: string; run(): void };
};

export type Toasts = {
  shown: Watched<readonly Toast[]>;
  say: App["say"];
  remove(id: number): void;
  /** Somebody reads or points at them: they stay until this is over. */
  hold(isHeld: boolean): void;
};

const mostShown = 3;

export function openToasts(timers: Timers): Toasts {
  const shown = openWatched<readonly Toast[]>([]);
  const due = new Set<number>();
  let isHeld = false;
  let count = 0;
  return {
    shown,
    say(text, options = {}) {
      count += 1;
      const { title, tone = "quiet", action } = options;
      const toast: Toast = { id: count, text, tone, ...(title && { title }), ...(action && { action }) };
      // the same words again replace the older line instead of piling up
      const others = shown.value.filter((one) => one.text !== text || one.title !== title);
      shown.set([...others, toast].slice(-mostShown));
      timers.after(readingMs(toast), () => expire(toast.id));
      return () => remove(toast.id);
    },
    remove,
    hold(held) {
      isHeld = held;
      if (!held) for (const id of due) remove(id);
    },
  };

  function expire(id: number): void {
    due.add(id);
    if (!isHeld) remove(id);
  }

  function remove(id: number): void {
    due.delete(id);
    shown.set(shown.value.filter((one) => one.id !== id));
  }
}

function readingMs(toast: Toast): number {
  const patienceMs = toast.action || toast.tone === "error" || toast.tone === "warning" ? 6000 : 3500;
  return patienceMs + toast.text.length * 40;
}
