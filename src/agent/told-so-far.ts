import type { Event } from "../contract/event.ts";
import { asOffered } from "../guard/named-destinations.ts";
import type { ToldSoFar } from "../guard/told-bits.ts";
import type { TurnState } from "./turn-state.ts";

/** What the log says of what others may have learnt; the guard counts on from there. */
export function toldSoFar(given: {
  window: readonly Event[];
  state: TurnState;
  /** Of the whole conversation. */
  toldBits: number;
  nowMs: number;
}): ToldSoFar {
  const { window, state, toldBits, nowMs } = given;
  const links = window.flatMap((event) => (event.type === "tool.returned" ? (event.links ?? []) : []));
  return {
    turn: state.toldBits,
    conversation: toldBits,
    sinceMs: state.seenAtMs,
    nowMs,
    links: new Set(links.flatMap(asOffered)),
  };
}

export function afterTelling(told: ToldSoFar, bits: number): ToldSoFar {
  if (bits === 0) return told;
  const sum = (before: number) => Math.round((before + bits) * 10) / 10;
  return { ...told, turn: sum(told.turn), conversation: sum(told.conversation), sinceMs: told.nowMs };
}
