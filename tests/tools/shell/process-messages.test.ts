import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { IncomingMessage } from "../../../src/contract/incoming-message.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { receiveMessage } from "../../../src/gateway/receive.ts";
import { findLostProcesses, goesOnLine } from "../../../src/tools/shell/lost-processes.ts";
import { finishedMessage, lostMessage } from "../../../src/tools/shell/process-messages.ts";
import { openAssistant } from "../../scenes/assistant.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { conversation, messageReceived, storeIn } from "../../scenes/stores.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { execScene, untilTold } from "../../scenes/tools/exec-scene.ts";

const allow = {
  decide: async () => ({ verdict: "allow" as const }),
  bindingOf: async () => "",
  filesReadBy: async () => [],
};
const sameText = (text: string) => text;

/** The rooms around the command tools, wired as the assistant wires them. */
async function assistantWithExec(script: Parameters<typeof scriptedModel>[0], home?: string) {
  const scene = await execScene({ onFinished: (finished) => send(finishedMessage(finished, sameText)) });
  const model = scriptedModel(script);
  const tools = [...scene.tools.values()];
  const assistant = await openAssistant({
    model,
    tools,
    guard: allow,
    workspace: scene.workspace,
    ...(home && { home }),
  });
  return { scene, assistant, model, send };

  async function send(message: IncomingMessage | undefined): Promise<void> {
    const { store, queue } = assistant;
    if (message) await receiveMessage({ world: realWorld, log: store.log, queue, maxWaiting: 20 }, message);
  }
}

test("a finished command comes in like a message and wakes the agent", async () => {
  const command = `${untilTold}; echo all built`;
  const { scene, assistant, model } = await assistantWithExec([
    { text: "", calls: [{ tool: "exec", arguments: { command, background: true } }] },
    { text: "It is on its way." },
    { text: "It is built." },
  ]);
  await assistant.say("build it");
  await assistant.until("turn.finished");
  await writeFile(join(scene.workspace, "go"), "");
  await assistant.until("turn.finished", 2);
  expect(await assistant.replies()).toEqual(["It is on its way.", "It is built."]);
  expect(JSON.stringify(model.requests.at(-1)?.messages.at(-1))).toMatch(
    /has ended after \d+ s: exit code 0.*all built/,
  );
  expect(await findLostProcesses(assistant.store.log)).toEqual([]);
});

test("after a restart the conversation is told once which commands were ended by it", async () => {
  const command = "echo begun; sleep 60";
  const first = await assistantWithExec([
    { text: "", calls: [{ tool: "exec", arguments: { command, background: true } }] },
    { text: "It is on its way." },
  ]);
  await first.assistant.say("start it");
  await first.assistant.until("turn.finished");
  await first.scene.commands.close();
  await first.assistant.close();

  const second = await assistantWithExec([{ text: "I will start it again." }], first.assistant.home);
  const lost = await findLostProcesses(second.assistant.store.log);
  expect(lost).toMatchObject([{ conversation: "terminal--default", command }]);
  for (const process of lost) await second.send(lostMessage(process));
  await second.assistant.until("turn.finished", 2);
  expect((await second.assistant.replies()).at(-1)).toBe("I will start it again.");
  expect(JSON.stringify(second.model.requests.at(-1)?.messages.at(-1))).toContain(
    "Steward was restarted; p1 (echo begun",
  );
  expect(await findLostProcesses(second.assistant.store.log)).toEqual([]);
});

test("at the start the log is read as far back as a process can live, and no further", async () => {
  let nowMs = 0;
  const store = await storeIn(await temporaryFolder(), { nowMs: () => nowMs });
  const began = (id: string) =>
    store.log.append([
      {
        type: "tool.returned",
        ...{ conversation, turn: "t", callId: id, tool: "exec", outcome: "done" },
        output: goesOnLine(id, "sleep 60"),
      },
    ]);
  const talk = (count: number) =>
    store.log.append(Array.from({ length: count }, (_, n) => messageReceived("hi", { messageId: `${nowMs}-${n}` })));
  await began("p1");
  nowMs = 40 * 60_000;
  await talk(1_100);
  await began("p2");
  nowMs = 60 * 60_000;
  await talk(2_500);
  expect((await findLostProcesses(store.log)).map((lost) => lost.id)).toEqual(["p2"]);
});
