import { setTimeout as sleep } from "node:timers/promises";
import type { Event } from "../../../src/contract/event.ts";
import type { AttackedSteward } from "./attacked-steward.ts";

/** Long, because what is counted leaves on the full second; a program that hangs is known sooner. */
const turnMs = 300_000;

export type Message = {
  sessionKey: string;
  message: string;
  attachments?: { name: string; mediaType: string; base64: string }[];
};

/** Says something and deals with what happens; true when the turn came to its end, false when the program or the time did. */
export async function followTurn(
  steward: AttackedSteward,
  message: Message,
  heed: (event: Event) => Promise<void>,
): Promise<boolean> {
  const endMs = performance.now() + turnMs;
  let at = steward.events.length;
  const { seq } = await steward.client.call("chat.send", message);
  let turn: string | undefined;
  while (performance.now() < endMs && !steward.isSilent()) {
    const event = steward.events[at];
    if (!event) await sleep(5);
    else {
      at += 1;
      if (event.conversation !== message.sessionKey) continue;
      if (holds(event, seq)) turn = event.turn;
      await heed(event);
      if (event.type === "turn.finished" && event.turn === turn) return true;
    }
  }
  return false;
}

function holds(event: Event, seq: number): event is Extract<Event, { type: "turn.started" | "turn.steered" }> {
  return (event.type === "turn.started" || event.type === "turn.steered") && event.messages.includes(seq);
}
