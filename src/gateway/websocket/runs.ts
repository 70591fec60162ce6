import type { EventOf } from "../../contract/event.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { onceForAll } from "../follow/once-for-all.ts";

/** A turn as simple clients know it: by the message that began it. */
export type Run = { runId: string; sessionKey: string };

export type RunEnd = {
  /** One for every message that the turn has answered, the first one first. */
  runIds: readonly string[];
  usage: { inputTokens: number; outputTokens: number };
  /** The last words of the turn. */
  reply: string | undefined;
};

export type Runs = ReturnType<typeof openRuns>;

const maxKnown = 1_000;

/** Looks up once, for all clients, which messages a turn belongs to and what it came to. */
export function openRuns(log: Pick<EventLog, "at" | "ofTurn">) {
  const known = new Map<string, Run>();
  const searches = new Map<string, Promise<Run>>();
  return {
    /** Undefined when it has not been looked up yet. */
    known: (turn: string) => known.get(turn),
    find(turn: string, sessionKey: string): Promise<Run> {
      const search = searches.get(turn) ?? lookUp(turn, sessionKey).finally(() => searches.delete(turn));
      searches.set(turn, search);
      return search;
    },
    endOf: onceForAll(sumUp),
  };

  async function lookUp(turn: string, sessionKey: string): Promise<Run> {
    const started = (await log.ofTurn(turn)).find((event) => event.type === "turn.started");
    const [runId = turn] = await messageIds(started?.messages.slice(0, 1) ?? []);
    const run = { runId, sessionKey };
    known.set(turn, run);
    const [oldest] = known.keys();
    if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    return run;
  }

  async function sumUp({ turn }: EventOf<"turn.finished">): Promise<RunEnd> {
    const messages: number[] = [];
    const usage = { inputTokens: 0, outputTokens: 0 };
    let reply: string | undefined;
    for (const event of await log.ofTurn(turn)) {
      if (event.type === "turn.started" || event.type === "turn.steered") messages.push(...event.messages);
      if (event.type === "reply.written") reply = event.text;
      if (event.type !== "step.finished") continue;
      usage.inputTokens += event.usage.inputTokens;
      usage.outputTokens += event.usage.outputTokens;
    }
    const found = await messageIds(messages);
    return { runIds: found.length > 0 ? found : [turn], usage, reply };
  }

  async function messageIds(seqs: readonly number[]): Promise<string[]> {
    return (await log.at(seqs)).flatMap((event) => (event.type === "message.received" ? [event.messageId] : []));
  }
}
