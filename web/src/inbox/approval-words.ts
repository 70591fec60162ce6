// A question to the owner in words: what would be done, whose words may be behind it, how long it stays open.
import { formatDuration } from "../../../src/contract/words/amounts.ts";

/** `web:example.org` → `a page of example.org` */
export function sourceWords(label: string): string {
  const [kind = "", ...rest] = label.split(":");
  const detail = rest.join(":").trim();
  switch (kind) {
    case "web":
      return detail === "" ? "a web page" : `a page of ${detail}`;
    case "person":
      return detail === "" ? "someone else" : detail;
    case "file":
      return detail === "" ? "a file" : `the file ${detail}`;
    case "mail":
      return detail === "" ? "an e-mail" : `an e-mail from ${detail}`;
    default:
      return label.replaceAll(/[:_]+/g, " ").trim();
  }
}

/** Undefined when everything the conversation holds was said by the owner or by Steward. */
export function sourcesSentence(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(labels.map(sourceWords)));
  return `This conversation has read text from ${names}, which may be what asks for this.`;
}

export function timeLeft(expiresAtMs: number, nowMs: number): { text: string; isSoon: boolean } {
  const left = expiresAtMs - nowMs;
  if (left <= 0) return { text: "Time is up: it counts as no", isSoon: true };
  return { text: `Counts as no in ${formatDuration(rounded(left))}`, isSoon: left < 60_000 };
}

// seconds matter only at the end; before that they would only flicker
function rounded(leftMs: number): number {
  if (leftMs < 60_000) return Math.max(1000, Math.floor(leftMs / 1000) * 1000);
  if (leftMs < 3_600_000) return Math.ceil(leftMs / 60_000) * 60_000;
  return leftMs < 86_400_000 ? Math.ceil(leftMs / 600_000) * 600_000 : leftMs;
}
