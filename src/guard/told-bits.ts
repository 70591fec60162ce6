// How much others can learn at most from a call that nobody was asked about, in bits. Whoever has taken over the model may know
// everything in the conversation; what counts is how many different things they could have made it do.
import type { Told } from "../contract/tool.ts";
import { addressesIn, canonicalAddress } from "./named-destinations.ts";

/** What the conversation has told others without a question, and what it may choose from. */
export type ToldSoFar = {
  /** Bits. */
  turn: number;
  conversation: number;
  /** The last moment that others could see or that a person chose: until now, waiting was a choice too. */
  sinceMs: number;
  nowMs: number;
  /** Addresses that stood on pages it has read. */
  links: ReadonlySet<string>;
};

/** For a call outside any conversation. */
export const nothingTold: ToldSoFar = { turn: 0, conversation: 0, sinceMs: 0, nowMs: 0, links: new Set() };

/** `isKnown`: it is one of few things; otherwise it could say anything. */
export type ToldBits = { bits: number; isKnown: boolean };

/** Acts that are counted leave on the full second, so a shorter wait tells nothing. */
export const tellingGridMs = 1_000;

export function toldBits(tells: readonly Told[], ownWords: string, soFar: ToldSoFar): ToldBits {
  const owned = new Set(addressesIn(ownWords));
  const parts = tells.map((told) => bitsOf(told, ownWords, owned.union(soFar.links)));
  const waited = Math.log2(2 + (soFar.nowMs - soFar.sinceMs) / tellingGridMs);
  const bits = parts.reduce((sum, part) => sum + part.bits, waited);
  return { bits: Math.ceil(bits * 10) / 10, isKnown: parts.every((part) => part.isKnown) };
}

// one more than there is to choose from, since doing nothing is a choice as well
function bitsOf(told: Told, ownWords: string, addresses: ReadonlySet<string>): ToldBits {
  switch (told.kind) {
    case "choice":
      return { bits: Math.log2(told.of + 1), isKnown: true };
    case "address": {
      const isKnown = addresses.has(canonicalAddress(told.url) ?? "");
      return { bits: isKnown ? Math.log2(addresses.size + 1) : 8 * Buffer.byteLength(told.url), isKnown };
    }
    case "words": {
      const isKnown = isSpoken(ownWords, told.text);
      // where it begins, where it ends, and in which of three spellings
      const choices = 2 * Math.log2(wordsIn(ownWords).length + 1) + Math.log2(3);
      return { bits: isKnown ? choices : 8 * Buffer.byteLength(told.text), isKnown };
    }
    default:
      return told satisfies never;
  }
}

/**
 * Whether words stand side by side in what somebody said, spelled as they did it, all small, or all small but for the first
 * letter. Any further freedom, in capitals or in signs between the words, would be room for a message.
 */
function isSpoken(said: string, text: string): boolean {
  const spoken = wordsIn(said);
  const wanted = wordsIn(text).map(({ word }) => word.toLowerCase());
  if (wanted.length === 0) return false;
  const plain = wanted.join(" ");
  const isPlain = text === plain || text === plain.replace(/^./u, (letter) => letter.toUpperCase());
  for (let at = 0; at + wanted.length <= spoken.length; at++) {
    const [first, last] = [spoken[at], spoken[at + wanted.length - 1]];
    if (!wanted.every((word, next) => spoken[at + next]?.word.toLowerCase() === word) || !first || !last) continue;
    if (isPlain || text === said.slice(first.start, last.end)) return true;
  }
  return false;
}

function wordsIn(text: string): readonly { word: string; start: number; end: number }[] {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  return found.map(({ 0: word, index }) => ({ word, start: index, end: index + word.length }));
}
