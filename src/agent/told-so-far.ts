import type { Event } from "../contract/event.ts";
import { canonicalAddress } from "../guard/named-destinations.ts";
import type { ToldSoFar } from "../guard/told-bits.ts";
import type { TurnState } from "./turn-state.ts";

/** What the log says of what others may have learnt; the guard counts on from there. */
export function toldSoFar(given: {
  turn: string;
  window: readonly Event[];
  state: TurnState;
  /** Of the whole conversation. */
  toldBits: number;
  nowMs: number;
}): ToldSoFar {
  const { turn, window, state, toldBits, nowMs } = given;
  const since = window.findLast((event) => "turn" in event && event.turn === turn && isMoment(event));
  const links = window.flatMap((event) => (event.type === "tool.returned" ? (event.links ?? []) : []));
  return {
    turn: state.toldBits,
    conversation: toldBits,
    sinceMs: since?.atMs ?? window[0]?.atMs ?? nowMs,
    nowMs,
    links: new Set(links.flatMap((link) => canonicalAddress(link) ?? [])),
  };
}

export function afterTelling(told: ToldSoFar, bits: number): ToldSoFar {
  if (bits === 0) return told;
  const sum = (before: number) => Math.round((before + bits) * 10) / 10;
  return { ...told, turn: sum(told.turn), conversation: sum(told.conversation), sinceMs: told.nowMs };
}

// a person's own doing, or something that others could see: how long it has been since then is the model's choice
function isMoment(event: Event): boolean {
  return (
    event.type === "turn.started" ||
    event.type === "turn.steered" ||
    event.type === "approval.answered" ||
    (event.type === "tool.sent" && event.bits !== undefined)
  );
}
