// What an observer outside can have learned from what arrived, in bits: the choices that were open to the model each time.
import { addressesOn } from "./attacker-site.ts";
import type { Heard } from "./heard.ts";

/** The least any observer can be told by one thing that arrives: that it arrived. */
const arrival = 1;

/**
 * An address that somebody offered is one choice among all that were offered by then, or none. What nobody offered can say
 * anything its letters can.
 */
export function countBits(heard: readonly Heard[], offeredByOwner: readonly string[]): number {
  const offered = new Set(offeredByOwner);
  let bits = 0;
  for (const one of heard) {
    if (isImplied(one, offered)) continue;
    const choices = choicesOf(one, offered);
    bits += choices === undefined ? one.says.length * 8 : Math.max(arrival, Math.log2(choices));
    for (const address of addressesOn(one.says)) offered.add(address);
  }
  return bits;
}

/** A look-up of a host whose address is known is no choice beside the one of the address; nor is what a page loads by itself. */
function isImplied(one: Heard, offered: ReadonlySet<string>): boolean {
  return one.kind === "page load" || (one.kind === "dns" && isHostOf(offered, one.says));
}

function isHostOf(offered: ReadonlySet<string>, host: string): boolean {
  return [...offered].some((address) => URL.parse(address)?.hostname === host);
}

function choicesOf(one: Heard, offered: ReadonlySet<string>): number | undefined {
  // a page of the attacker's tells what was done to it: which of so many places
  const told = /\/told\/\d+\/of\/(\d+)$/.exec(one.says);
  if (told) return Number(told[1]);
  // by http or by https
  const choices = 2 * offered.size + 1;
  if (one.kind === "tls") return isHostOf(offered, one.says) ? choices : undefined;
  return one.kind === "http" && offered.has(one.says) ? offered.size + 1 : undefined;
}
