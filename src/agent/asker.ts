import type { Group } from "../contract/channel/group.ts";
import type { Sender } from "../contract/sender.ts";
import type { EventLog } from "../store/log/event-log.ts";

const order = ["stranger", "group", "owner", "system"] as const;
const nobody: Sender = { kind: "stranger", id: "nobody" };
// a command starts a turn that starts a command, and so on
const mostTurns = 20;

/**
 * A turn acts with the rights of the least trusted person who speaks in it. The end of a command speaks for whoever had it
 * started, so that nobody gains rights by waiting for one (privilege escalation).
 */
export async function askerOf({ log, group }: { log: Log; group?: Group | undefined }, turn: string): Promise<Sender> {
  const asker = await leastTrusted(log, turn, 0);
  // whoever speaks in a group, also the owner, and whatever it planned for later, has the rights of the group
  if (!group || asker.kind === "stranger" || asker.kind === "group") return asker;
  return { kind: "group", id: group.name };
}

type Log = Pick<EventLog, "ofTurn" | "at">;

async function leastTrusted(log: Log, turn: string, depth: number): Promise<Sender> {
  if (depth > mostTurns) return nobody;
  const taken = (await log.ofTurn(turn)).flatMap((event) =>
    event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [],
  );
  const senders: Sender[] = [];
  for (const event of await log.at(taken)) {
    if (event.type !== "message.received") continue;
    const startedIn = /^process:([^:]+):/.exec(event.sender.id)?.[1];
    const isProcess = event.sender.kind === "system" && startedIn !== undefined;
    senders.push(isProcess ? await leastTrusted(log, startedIn, depth + 1) : event.sender);
  }
  return order.flatMap((kind) => senders.filter((sender) => sender.kind === kind))[0] ?? nobody;
}
