// A Steward with its memory and its file tools; its model does what each turn says.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Base } from "../../../src/assistant.ts";
import type { EventOf } from "../../../src/contract/event.ts";
import type { IncomingMessage } from "../../../src/contract/incoming-message.ts";
import type { RoomDefinition } from "../../../src/contract/room/room.ts";
import { memoryRoom } from "../../../src/memory/memory-room.ts";
import { filesRoom } from "../../../src/tools/files/files-room.ts";
import { undoRoom } from "../../../src/tools/undo/undo-room.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";
import { type ScriptedAnswer, scriptedModel } from "../scripted-model.ts";

export type Call = { tool: string; arguments: object };

export async function openMemoryScene(options: Partial<AssistantOptions> = {}) {
  const plan: ScriptedAnswer[] = [];
  let receive: Base["receive"] | undefined;
  const door: RoomDefinition<Base> = {
    name: "door of the test",
    async open(base) {
      receive = base.receive;
      return {};
    },
  };
  const scripted = scriptedModel(() => plan.shift() ?? { text: "Done." });
  const model = options.model ?? scripted;
  const assistant = await openAssistant({
    ...{ model, nowMs: () => Date.UTC(2026, 10, 15, 12), ...options },
    rooms: [filesRoom, undoRoom, memoryRoom, door, ...(options.rooms ?? [])],
  });
  const { workspace, events, until, say, call } = assistant;
  const ofType = async <Type extends "turn.finished" | "turn.waiting">(type: Type) =>
    (await events()).filter((event) => event.type === type).length;
  return {
    ...assistant,
    ...{ model, plan, begin, turn, asks, requests: scripted.requests },
    /** By the door through which everything comes in. */
    receive: (message: IncomingMessage) => receive?.(message),
    write: async (path: string, text: string) => {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    },
    note: (path = "MEMORY.md") => readFile(join(workspace, path), "utf8").catch(() => undefined),
    answer: async ({ approvalId }: { approvalId: string }, yes: boolean) => {
      const finished = await ofType("turn.finished");
      await call(yes ? "exec.approve" : "exec.deny", { approvalId });
      await until("turn.finished", finished + 1);
    },
    outputs: async (): Promise<readonly EventOf<"tool.returned">[]> =>
      (await events()).flatMap((event) => (event.type === "tool.returned" ? [event] : [])),
  };

  /** One call a step, so that each begins when the one before it is done. */
  async function begin(calls: readonly Call[], words = "do it", sessionKey?: string): Promise<void> {
    plan.push(...calls.map((each) => ({ text: "", calls: [each] })), { text: "Done." });
    await say(words, sessionKey);
  }

  /** A turn that nobody is asked about; what its last call has answered. */
  async function turn(calls: readonly Call[], words?: string, sessionKey?: string): Promise<string> {
    const finished = await ofType("turn.finished");
    await begin(calls, words, sessionKey);
    await until("turn.finished", finished + 1);
    return (await events()).findLast((event) => event.type === "tool.returned")?.output ?? "";
  }

  /** A turn that ends with a question. */
  async function asks(calls: readonly Call[], words?: string, sessionKey?: string) {
    const waiting = await ofType("turn.waiting");
    await begin(calls, words, sessionKey);
    await until("turn.waiting", waiting + 1);
    const asked = (await until("approval.asked")).at(-1);
    if (!asked) throw new Error("nobody was asked");
    return asked;
  }
}
