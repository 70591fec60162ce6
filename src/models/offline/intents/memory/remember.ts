import { call, type Exchange, type Scene, type Step } from "../../intent.ts";
import { tell } from "../../wording.ts";

export const offerWords = "Shall I remember that? Say “remember that”.";

/** The call that notes a fact, and then what came of it. */
export function remember(fact: string | undefined, done: readonly Exchange[], also = ""): Step | undefined {
  if (fact === undefined) return undefined;
  const kept = done.find((exchange) => exchange.tool === "remember");
  if (!kept) return call("remember", { text: fact });
  // otherwise the tool says why it has written nothing
  return tell(kept, (output) => (output.startsWith("Written down") ? `I will remember: ${fact}${also}` : output));
}

export function dayOf(scene: Scene): string {
  // the Swedish way of writing a date is the one that sorts
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: scene.timeZone }).format(scene.nowMs);
}

/** As the next item of the list. */
export function listed(lines: readonly string[], note: string): string {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  // a list that follows plain text needs a blank line before it
  const gap = last === "" || /^(?:[-*] | {2})/.test(last) ? "" : "\n";
  const heading = lines.length === 0 ? "# Memory\n\n" : "";
  return `${heading}${gap}- ${note}`;
}
