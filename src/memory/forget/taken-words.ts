// An event comes in; the words that it would lose if it were forgotten go out.
import type { Event } from "../../contract/event.ts";
import { blankForgotten } from "../../store/log/blank-event.ts";

/** Empty: it holds none, or has lost them already. */
export function takenWords(event: Event): string {
  const left = new Set(textsIn(blankForgotten(event)));
  return textsIn(event)
    .filter((text) => !left.has(text))
    .join("\n");
}

export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
