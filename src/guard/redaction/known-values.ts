// In: pieces of text. Out: the same text with every value known beforehand masked, in each of its forms.
import { type Gaps, gapLength, mayStartGap, openGaps } from "./gap.ts";
import { formsOf } from "./known-forms.ts";
import type { TextPass } from "./scan-text.ts";

export type KnownValues = { add(values: readonly string[]): void; open(): TextPass };

type Forms = readonly string[];
/** `byKey`: forms by their first characters folded into a number, longest first; `byPair`: by the first two. */
type Index = {
  /** Small enough to stay near the processor: whether a key may be one of the forms at all. */
  mayHold: Uint8Array;
  byKey: ReadonlyMap<number, Forms>;
  byPair: ReadonlyMap<number, Forms>;
  isEmpty: boolean;
};
/** Where a form ends; 0: it does not stand here; undefined: only what is still to come decides. */
type End = number | undefined;

const mask = "[redacted:known-value]";
const keyLength = 6;
const keyShift = 3;
const keyMask = 0x1ffff;
const filterMask = 0x7fff;
const backslash = 92;
/** A value is not looked for beyond gaps that are longer together. */
const longestGap = 400;

export function openKnownValues(values: readonly string[]): KnownValues {
  const forms = new Set<string>();
  let index = indexOf([]);
  const known: KnownValues = {
    add(added) {
      const before = forms.size;
      // a value that is a part of the masks themselves would be found in every masked text
      for (const form of added.flatMap(formsOf)) if (!mask.includes(form)) forms.add(form);
      if (forms.size !== before) index = indexOf([...forms]);
    },
    open: () => openPass(() => index),
  };
  known.add(values);
  return known;
}

function openPass(index: () => Index): TextPass {
  let held = "";
  return {
    write: (piece) => run(held + piece, false),
    end: () => run(held, true),
  };

  function run(text: string, isFinal: boolean): string {
    const { output, end } = maskKnown(index(), text, isFinal);
    held = text.slice(end);
    return output;
  }
}

/**
 * Masks the longest form at each place, and stops where a form may have begun that is not all there yet. Line breaks and
 * what nobody sees do not count: a value is the same with them inside.
 */
function maskKnown(index: Index, text: string, isFinal: boolean): { output: string; end: number } {
  if (index.isEmpty) return { output: text, end: text.length };
  let output = "";
  let copied = 0;
  let key = 0;
  let counted = 0;
  let at = 0;
  const gaps = openGaps();
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const gap = mayStartGap(code) ? gapLength(text, at, isFinal) : 0;
    if (gap === undefined) break;
    at += gap || 1;
    if (gap === 0) {
      key = ((key << keyShift) ^ code) & keyMask;
      counted++;
    } else gaps.add(counted, gap);
    const forms = gap === 0 ? formsByKey(index, key, counted) : formsAfterEscape(index, text, at - 1);
    if (!forms) continue;
    const start = gap === 0 ? at - keyLength - gaps.since(counted - keyLength) : at - 1;
    const end = longestEnd(forms, text, start, isFinal);
    if (end === undefined) return { output: output + text.slice(copied, start), end: start };
    if (end === 0) continue;
    output += text.slice(copied, start) + mask;
    copied = at = end;
    counted = 0;
    gaps.forget();
  }
  const end = isFinal ? text.length : Math.max(copied, firstUndecided(text, at, gaps, counted));
  return { output: output + text.slice(copied, end), end };
}

function formsByKey(index: Index, key: number, counted: number): Forms | undefined {
  return counted < keyLength || index.mayHold[key & filterMask] === 0 ? undefined : index.byKey.get(key);
}

/** The letter of `\n` may as well be the first of a value that stands behind a backslash. */
function formsAfterEscape(index: Index, text: string, start: number): Forms | undefined {
  return text.charCodeAt(start - 1) === backslash ? index.byPair.get(pairAt(text, start)) : undefined;
}

/** The earliest place from which a form could still begin: too few characters have been seen there. */
function firstUndecided(text: string, at: number, gaps: Gaps, counted: number): number {
  const endsInEscape = at === text.length && /\\[nrt]$/.test(text.slice(-2));
  let first = endsInEscape ? at - 1 : at;
  for (let back = 1; back < keyLength && back <= counted; back++) {
    const skipped = gaps.since(counted - back);
    if (text.length - at + skipped > longestGap) break;
    first = Math.min(first, at - back - skipped);
  }
  return first;
}

function longestEnd(forms: Forms, text: string, start: number, isFinal: boolean): End {
  let longest = 0;
  for (const form of forms) {
    const end = endOf(form, text, start, isFinal);
    if (end === undefined) return undefined;
    longest = Math.max(longest, end);
  }
  return longest;
}

function endOf(form: string, text: string, start: number, isFinal: boolean): End {
  let at = start;
  let gaps = 0;
  for (let inForm = 0; inForm < form.length; ) {
    if (at >= text.length) return isFinal ? 0 : undefined;
    const code = text.charCodeAt(at);
    if (code === form.charCodeAt(inForm)) {
      inForm++;
      at++;
      continue;
    }
    const gap = mayStartGap(code) ? gapLength(text, at, isFinal) : 0;
    if (gap === undefined) return undefined;
    gaps += gap;
    if (gaps > longestGap) return 0;
    const gapInForm = gap === 0 && mayStartGap(form.charCodeAt(inForm)) ? (gapLength(form, inForm, true) ?? 0) : 0;
    if (gap + gapInForm === 0) return 0;
    at += gap;
    inForm += gapInForm;
  }
  return at;
}

function indexOf(forms: Forms): Index {
  const mayHold = new Uint8Array(filterMask + 1);
  const byKey = new Map<number, string[]>();
  const byPair = new Map<number, string[]>();
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const key = keyOf(form);
    mayHold[key & filterMask] = 1;
    byKey.set(key, [...(byKey.get(key) ?? []), form]);
    const pair = pairAt(form, 0);
    byPair.set(pair, [...(byPair.get(pair) ?? []), form]);
  }
  return { mayHold, byKey, byPair, isEmpty: forms.length === 0 };
}

function keyOf(form: string): number {
  let key = 0;
  let counted = 0;
  for (let at = 0; counted < keyLength && at < form.length; ) {
    const gap = mayStartGap(form.charCodeAt(at)) ? (gapLength(form, at, true) ?? 0) : 0;
    if (gap === 0) {
      key = ((key << keyShift) ^ form.charCodeAt(at)) & keyMask;
      counted++;
    }
    at += Math.max(1, gap);
  }
  return key;
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1);
}
