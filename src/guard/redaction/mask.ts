/** Which characters go on a secret: letters and dashes, dots between them too, or all that base64 and URLs use. */
export type Tail = "word" | "dotted" | "token";

/** A secret found in a text; with a tail it goes on for as long as its characters do. */
export type Finding = {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly keep: number;
  readonly tail?: Tail;
  readonly companion?: Finding;
};

const opening = "[redacted:";

export function maskOf(finding: Finding, text: string): string {
  const label = `${opening}${finding.name}]`;
  return finding.keep > 0 ? `${text.slice(finding.start, finding.start + finding.keep)}…${label}` : label;
}

/** A masked value is left as it is, so that redacting twice equals redacting once. */
export function holdsMask(value: string): boolean {
  return value.includes(opening);
}

export function isMaskAt(text: string, at: number): boolean {
  return text.startsWith(opening, at);
}
