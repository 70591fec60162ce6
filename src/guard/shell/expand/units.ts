/** A word taken apart: its characters with what quoting left of their meaning, and the holes whose content is unknown. */
export type Unit =
  | { kind: "char"; char: string; mark: Mark; pattern?: string | undefined }
  | { kind: "hole"; many: boolean; numeric: boolean }
  /** Between two elements of a quoted list: always a new argument. */
  | { kind: "break" }
  /** A pair of quotes: there is an argument here even when nothing is in it. */
  | { kind: "quotes" };

/** bare: as typed. quoted: plain. expanded: out of an unquoted expansion, so still split and globbed. */
type Mark = "bare" | "quoted" | "expanded";

export function charUnits(text: string, mark: Mark, pattern?: string): Unit[] {
  return Array.from(text, (char) => ({ kind: "char", char, mark, pattern }));
}

/** Unquoted source text: a backslash takes the meaning from the next character. */
export function bareUnits(source: string): Unit[] {
  const units: Unit[] = [];
  const chars = Array.from(source);
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    if (char !== "\\") units.push({ kind: "char", char, mark: "bare" });
    else {
      const next = chars[++at];
      if (next !== undefined && next !== "\n") units.push({ kind: "char", char: next, mark: "quoted" });
    }
  }
  return units;
}

export const hole = (many: boolean, numeric = false): Unit => ({ kind: "hole", many, numeric });

export function isBare(unit: Unit | undefined, char: string): boolean {
  return unit?.kind === "char" && unit.mark === "bare" && unit.char === char;
}
