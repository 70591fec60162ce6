// The thread that keeps the indexes: reading, embedding and searching happen here, so that nobody waits for it.
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../contract/failure.ts";
import { openEmbedders } from "../kept/embedders.ts";
import { type KeptMemory, openKeptMemory } from "../kept/open-kept-memory.ts";
import type { NextConversations, NextWish } from "../sources/conversations.ts";
import { giveBackWhenCalm } from "./give-back-when-calm.ts";
import type { FromThread, KeptPlace, MethodName, ThreadData, ToThread } from "./thread-messages.ts";

const { indexFolder, settings, environment, storedKeys }: ThreadData = workerData;
const embedders = openEmbedders({ environment, storedKeys });
const memories = new Map<string, { place: string; memory: KeptMemory }>();
const asked = new Map<number, PromiseWithResolvers<NextConversations | undefined>>();
// one after another, so that a memory that is being closed is not opened a second time
let opening: Promise<unknown> = Promise.resolve();
// a household has few groups in which something is looked for at once
const mostOpen = 12;
let lastId = 0;

giveBackWhenCalm();
parentPort?.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "call":
      void answer(message.id, message.method, message.place, message.parameter);
      break;
    case "conversations":
      asked.get(message.id)?.resolve(message.next);
      asked.delete(message.id);
      break;
    case "conversations failed":
      asked.get(message.id)?.reject(new Error(message.reason));
      asked.delete(message.id);
      break;
    case "news":
      for (const { memory } of memories.values()) memory.hear();
      break;
    case "close":
      void close();
      break;
    default:
      message satisfies never;
  }
});

async function answer(id: number, method: MethodName, place: KeptPlace, parameter: never): Promise<void> {
  try {
    const memory = opening.then(() => memoryAt(place));
    opening = memory.catch(() => undefined);
    tell({ kind: "answer", id, value: await (await memory)[method](parameter) });
  } catch (cause) {
    tell({ kind: "failed", id, reason: reasonOf(cause) });
  }
}

/** By the file in which it is kept: two at work on one would give the same numbers to different units. */
async function memoryAt(place: KeptPlace): Promise<KeptMemory> {
  const wanted = JSON.stringify(place);
  const known = memories.get(place.key);
  memories.delete(place.key);
  // another folder under the same name is another memory
  if (known && known.place !== wanted) await known.memory.close();
  const deps = { indexFolder, settings, embedders, nextConversations, trouble: tellTrouble };
  const memory = known?.place === wanted ? known.memory : openKeptMemory(deps, place);
  memories.set(place.key, { place: wanted, memory });
  const oldest = [...memories.keys()][0];
  if (memories.size > mostOpen && oldest !== undefined && oldest !== place.key) {
    const { memory: last } = memories.get(oldest) ?? {};
    memories.delete(oldest);
    await last?.close();
  }
  return memory;
}

function nextConversations(wish: NextWish): Promise<NextConversations | undefined> {
  const id = ++lastId;
  const answered = Promise.withResolvers<NextConversations | undefined>();
  asked.set(id, answered);
  tell({ kind: "next conversations", id, wish });
  return answered.promise;
}

function tellTrouble(message: string): void {
  tell({ kind: "trouble", message });
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

/** Index files are closed in order; the thread then ends by itself. */
async function close(): Promise<void> {
  for (const { reject } of asked.values()) reject(new Error("Steward is closing."));
  for (const { memory } of memories.values()) await memory.close();
  await embedders.close();
  parentPort?.close();
}
