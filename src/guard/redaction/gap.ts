import { invisibleLength, mayBeInvisible } from "./invisible.ts";

const lineBreak = /(?:\\{1,16}(?:[nr]|\r?\n)|[\n\r])(?:[ \t\n\r]|\\{1,16}[nrt]){0,120}/y;

/** How long the line break, or what nobody sees, is here; 0: something that counts; undefined: what is to come decides. */
export function gapLength(text: string, at: number, isFinal: boolean): number | undefined {
  lineBreak.lastIndex = at;
  return lineBreak.exec(text)?.[0].length ?? invisibleLength(text, at, isFinal);
}

export function mayStartGap(code: number): boolean {
  return code < 128 ? code < 32 || code === 92 || code === 38 || code === 127 : mayBeInvisible(code);
}

/** The gaps between the characters that count, as far back as one key reaches. */
export type Gaps = {
  /** A gap after so many characters that count. */
  add(counted: number, length: number): void;
  /** How long all gaps after the character of this number are together. */
  since(counted: number): number;
  forget(): void;
};

export function openGaps(): Gaps {
  let gaps: { counted: number; length: number }[] = [];
  return {
    add(counted, length) {
      const last = gaps.at(-1);
      if (last?.counted === counted) last.length += length;
      else gaps = [...gaps.slice(-7), { counted, length }];
    },
    since(counted) {
      let length = 0;
      for (const gap of gaps) if (gap.counted > counted) length += gap.length;
      return length;
    },
    forget() {
      gaps = [];
    },
  };
}
