// The thread that keeps the indexes: reading, embedding and searching happen here, so that nobody waits for it.
import { parentPort, workerData } from "node:worker_threads";
import { reasonOf } from "../../contract/failure.ts";
import { openEmbedders } from "../kept/embedders.ts";
import { type KeptMemory, openKeptMemory } from "../kept/open-kept-memory.ts";
import type { FromThread, KeptPlace, MethodName, NextConversations, ThreadData, ToThread } from "./thread-messages.ts";

const { indexFolder, settings, environment, storedKeys }: ThreadData = workerData;
const embedders = openEmbedders({ environment, storedKeys });
const memories = new Map<string, KeptMemory>();
const asked = new Map<number, PromiseWithResolvers<NextConversations>>();
// a household has few groups in which something is looked for at once
const mostOpen = 12;
let lastId = 0;

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
      for (const memory of memories.values()) memory.hear();
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
    tell({ kind: "answer", id, value: await memoryAt(place)[method](parameter) });
  } catch (cause) {
    tell({ kind: "failed", id, reason: reasonOf(cause) });
  }
}

function memoryAt(place: KeptPlace): KeptMemory {
  // a place with another folder, or other settings, is another memory under the same name
  const name = JSON.stringify(place);
  const known = memories.get(name);
  memories.delete(name);
  const memory =
    known ?? openKeptMemory({ indexFolder, settings, embedders, nextConversations, trouble: tellTrouble }, place);
  memories.set(name, memory);
  const [oldest] = memories.keys();
  if (memories.size > mostOpen && oldest !== undefined) {
    void memories.get(oldest)?.close();
    memories.delete(oldest);
  }
  return memory;
}

function nextConversations(after: number): Promise<NextConversations> {
  const id = ++lastId;
  const answered = Promise.withResolvers<NextConversations>();
  asked.set(id, answered);
  tell({ kind: "next conversations", id, after });
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
  for (const memory of memories.values()) await memory.close();
  await embedders.close();
  parentPort?.close();
}
