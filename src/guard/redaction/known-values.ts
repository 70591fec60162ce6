// In: pieces of text. Out: the same text with every value known beforehand masked, in each of its forms.
import { formsOf } from "./known-forms.ts";
import type { TextPass } from "./scan-text.ts";

export type KnownValues = { add(values: readonly string[]): void; open(): TextPass };

type Index = { buckets: (string[] | undefined)[]; longest: number };

const mask = "[redacted:known-value]";
const keyLength = 4;
const keyMask = 0xffff;

export function openKnownValues(values: readonly string[]): KnownValues {
  const forms = new Set<string>();
  let index: Index = { buckets: [], longest: 0 };
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

/** Masks the longest form at each place, and stops where a form may have begun that is not all there yet. */
function maskKnown(index: Index, text: string, isFinal: boolean): { output: string; end: number } {
  if (index.longest === 0) return { output: text, end: text.length };
  let output = "";
  let copied = 0;
  let key = 0;
  for (let at = 0; at < text.length; at++) {
    key = ((key << 4) ^ text.charCodeAt(at)) & keyMask;
    const start = at - keyLength + 1;
    if (start < copied) continue;
    const bucket = index.buckets[key];
    if (!bucket) continue;
    if (!isFinal && mayGoOn(bucket, text, start)) return { output: output + text.slice(copied, start), end: start };
    const form = bucket.find((candidate) => text.startsWith(candidate, start));
    if (!form) continue;
    output += text.slice(copied, start) + mask;
    copied = start + form.length;
    at = copied - 1;
  }
  const end = isFinal ? text.length : Math.max(copied, text.length - keyLength + 1);
  return { output: output + text.slice(copied, end), end };
}

function mayGoOn(bucket: readonly string[], text: string, start: number): boolean {
  const rest = text.length - start;
  return bucket.some((form) => form.length > rest && form.startsWith(text.slice(start)));
}

/** Forms by the last four characters folded into sixteen bits, longest first. */
function indexOf(forms: readonly string[]): Index {
  const buckets: (string[] | undefined)[] = new Array(keyMask + 1);
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    let key = 0;
    for (let at = 0; at < keyLength; at++) key = ((key << 4) ^ form.charCodeAt(at)) & keyMask;
    buckets[key] ??= [];
    buckets[key]?.push(form);
  }
  return { buckets, longest: Math.max(...forms.map((form) => form.length)) };
}
