// The methods of the memory, for the page, the command line and programs alike.
import type { EventOf } from "../contract/event.ts";
import { Failure } from "../contract/failure.ts";
import { CallRefused } from "../contract/wire/client.ts";
import type { Served } from "../contract/wire/methods/define-methods.ts";
import type { memoryMethods, Recall } from "../contract/wire/methods/memory.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { latestOfKind } from "../store/log/latest-of-kind.ts";
import type { Forgetting, Memory } from "./memory.ts";
import { serveMentions } from "./notes/note-methods.ts";

export type MemoryMethodDeps = {
  memory: Memory;
  forgetting: Forgetting;
  database: Database;
  log: Pick<EventLog, "ofTurn" | "at">;
  groupOf(conversation: string): Promise<{ name: string } | undefined>;
};

type Recalled = EventOf<"memory.recalled">;

export function serveMemory(deps: MemoryMethodDeps): Served<typeof memoryMethods> {
  const { memory } = deps;
  return {
    ...serveMentions(deps.forgetting),
    async "memory.search"(_caller, { query, limit, ...whose }) {
      const { finds, ms, note } = await asRefusal(memory.search(whose, query, { limit }));
      return { finds: [...finds], ms, ...(note !== undefined && { note }) };
    },
    "memory.status": (_caller, whose) => asRefusal(memory.status(whose)),
    "memory.reindex": (_caller, whose) => asRefusal(memory.reindex(whose)),
    async "memory.recalled"(_caller, { sessionKey, beforeSeq, limit }) {
      const found = await latestOfKind(deps.database, "memory.recalled", {
        conversation: sessionKey,
        beforeSeq,
        limit: limit + 1,
      });
      const recalls = await Promise.all(found.slice(0, limit).map((event) => showRecall(deps, event)));
      return { recalls, more: found.length > limit };
    },
  };
}

/** What a person must mend is told to whoever has called. */
function asRefusal<Result>(answer: Promise<Result>): Promise<Result> {
  return answer.catch((cause) => {
    throw cause instanceof Failure ? new CallRefused("failed", cause.message) : cause;
  });
}

async function showRecall(deps: MemoryMethodDeps, event: Recalled): Promise<Recall> {
  const { seq, atMs, conversation, turn, finds, tokens } = event;
  const group = (await deps.groupOf(conversation))?.name;
  const now = await deps.memory.read({ group }, finds).catch(() => []);
  return {
    ...{ seq, atMs, sessionKey: conversation, turn, tokens },
    question: await questionOf(deps, turn),
    finds: finds.map((place, at) => {
      const text = now[at]?.text;
      return { ...place, ...(text !== undefined && { text }) };
    }),
  };
}

async function questionOf({ log }: MemoryMethodDeps, turn: string): Promise<string> {
  const begun = (await log.ofTurn(turn)).find((event) => event.type === "turn.started");
  const messages = begun?.type === "turn.started" ? await log.at(begun.messages) : [];
  return messages.flatMap((event) => (event.type === "message.received" ? [event.text] : [])).join("\n");
}
