import type { Tail } from "../mask.ts";

/** How a provider writes its secrets. The table is data: a new provider is one line. */
export type Format = {
  readonly name: string;
  /** The literal beginnings; the first two characters find the format, so shorter ones cost time. */
  readonly prefixes: readonly string[];
  /** What the third character may be, for a beginning that does not say so itself. */
  readonly third?: RegExp;
  /** What stands visibly before the secret, as a pattern that takes the prefix in; without it the prefix is masked too. */
  readonly lead?: string;
  readonly body: string;
  readonly tail?: Tail;
  /** How far the pattern may read, if not to the end of the word. */
  readonly reach?: { readonly stop: RegExp; readonly limit: number };
  /** A second secret that stands right after the first. */
  readonly companion?: { readonly name: string; readonly between: string; readonly body: string };
  readonly isSecret?: (secret: string) => boolean;
};

/** Of a fixed length: a longer run of letters is something else. The beginnings are separated by spaces. */
export function exact(name: string, prefixes: string, body: string): Format {
  return { name, prefixes: prefixes.split(" "), body: `(?:${body})(?![A-Za-z0-9])` };
}

/** At least this long: whatever goes on after it belongs to the secret. */
export function atLeast(name: string, prefixes: string, body: string, tail: Tail = "word"): Format {
  return { name, prefixes: prefixes.split(" "), body, tail };
}

/** The secret stands after something that may be seen: a prefix and what `between` describes. */
export function after(name: string, prefixes: string, between: string, body: string, tail: Tail = "word"): Format {
  const lead = `(?:${prefixes.split(" ").map(literally).join("|")})${between}`;
  return { ...atLeast(name, prefixes, body, tail), lead };
}

export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/**
 * The same pattern for letters of either case. Written out, because what V8 makes of `(?i:…)` once a process holds much compiled
 * code of patterns only finds small letters.
 */
export function anyCase(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[[^\]]*\]|[a-z]/g, (part) =>
    /^[a-z]$/.test(part) ? `[${part}${part.toUpperCase()}]` : part,
  );
}
