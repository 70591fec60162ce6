import type { Sender } from "../contract/event.ts";
import type { EventLog } from "../store/log/event-log.ts";

const order = ["stranger", "group", "owner", "system"] as const;
const nobody: Sender = { kind: "stranger", id: "nobody" };
// a command starts a turn that starts a command, and so on
const mostTurns = 20;

/**
 * A turn acts with the rights of the least trusted person who speaks in it. The end of a command speaks for whoever had it
 * started, so that nobody gains rights by waiting for one (privilege escalation).
 */
export async function askerOf(log: Pick<EventLog, "ofTurn" | "at">, turn: string, depth = 0): Promise<Sender> {
  if (depth > mostTurns) return nobody;
  const taken = (await log.ofTurn(turn)).flatMap((event) =>
    event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [],
  );
  const senders: Sender[] = [];
  for (const event of await log.at(taken)) {
    if (event.type !== "message.received") continue;
    const startedIn = /^process:([^:]+):/.exec(event.sender.id)?.[1];
    const isProcess = event.sender.kind === "system" && startedIn !== undefined;
    senders.push(isProcess ? await askerOf(log, startedIn, depth + 1) : event.sender);
  }
  return order.flatMap((kind) => senders.filter((sender) => sender.kind === kind))[0] ?? nobody;
}
