import type { Event } from "../../contract/event.ts";
import { asOffered } from "../../guard/named-destinations.ts";
import type { ToldSoFar } from "../../guard/told-bits.ts";
import { addBits, type TurnState } from "../turn-state.ts";

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
    conversation: addBits(toldBits, 0),
    sinceMs: state.seenAtMs,
    nowMs,
    links: new Set(links.flatMap(asOffered)),
  };
}

export function afterTelling(told: ToldSoFar, bits: number): ToldSoFar {
  if (bits === 0) return told;
  const { turn, conversation, nowMs } = told;
  return { ...told, turn: addBits(turn, bits), conversation: addBits(conversation, bits), sinceMs: nowMs };
}
