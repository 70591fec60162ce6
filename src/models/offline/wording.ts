import { type Exchange, type Step, say } from "./intent.ts";

const maxShownCharacters = 6000;

/** A result of one call, or what went wrong with it. */
export function tell(exchange: Exchange, text: (output: string) => string): Step {
  return exchange.failed ? sayFailed(exchange) : say(text(exchange.output));
}

export function sayFailed(exchange: Exchange): Step {
  const refused = /^Not done: the owner said no\.?\s*(.*)$/s.exec(exchange.output.trim());
  if (refused) return say(`All right, it was not done.${refused[1] ? ` You said: ${shorten(refused[1])}` : ""}`);
  return say(`That did not work: ${shorten(exchange.output.trim() || "no reason was given.")}`);
}

/** Foreign text in a fence that it cannot close, so that none of it is taken for our own words. */
export function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${shorten(text.trimEnd())}\n${fence}`;
}

function shorten(text: string): string {
  if (text.length <= maxShownCharacters) return text;
  const leftOut = text.length - maxShownCharacters;
  return `${text.slice(0, maxShownCharacters)}\n[… ${leftOut.toLocaleString("en")} further characters …]`;
}

/** The text without one pair of quotes around it. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const inner = /^(?:"(.*)"|“(.*)”|'(.*)'|‘(.*)’|`(.*)`)$/s.exec(trimmed);
  return inner?.slice(1).find((part) => part !== undefined) ?? trimmed;
}

export function isQuoted(text: string): boolean {
  return unquote(text) !== text.trim();
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
