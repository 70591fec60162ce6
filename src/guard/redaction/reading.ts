/** The text a rule may look at: some characters before the place it is asked about, and what has come in after it. */
export type Reading = {
  readonly text: string;
  readonly isFinal: boolean;
  /** The end of the secret masked last: a name or a command is not looked for before it, where a mask stands now. */
  readonly floor: number;
};

/** Headers whose contents are read by other rules from here on. */
export type Entering =
  | { readonly enter: "cookie" | "set-cookie" | "key"; readonly at: number }
  | { readonly enter: "block" | "list"; readonly at: number; readonly value: "password" | "token" };

/**
 * Whether text that is still to come could change the answer of a rule that reads at most `limit` characters and never
 * past a `stop`. Rules that wait exactly this long give the same answer however the text is cut into pieces, and none
 * can be made slow by what it reads (ReDoS).
 */
export function needsMore(reading: Reading, at: number, limit: number, stop: RegExp): boolean {
  if (reading.isFinal || reading.text.length - at >= limit) return false;
  return !stop.test(reading.text.slice(at));
}

/** What a sticky pattern finds at just this place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export const lineEnd = /[\n\r]/;
/** The first character that no token format contains. */
export const tokenEnd = /[^A-Za-z0-9_\-.~+/=:%@|$#?&]/;

const escapeCharacter = "\u001b";

/** A terminal colour, as the terminal sees it or as JSON and source code write it. */
export const colourPattern = `(?:${escapeCharacter}|\\\\{1,16}(?:u001[bB]|x1[bB]|033|e))\\[[0-9;?]{0,16}[A-Za-z]`;
export const rawColourPattern = `${escapeCharacter}\\[[0-9;?]{0,16}[A-Za-z]`;
export const rawColourStart = escapeCharacter;
