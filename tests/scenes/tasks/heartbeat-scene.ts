// A Steward with a heartbeat whose clock the test moves, and what has come of its looks.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "../../../src/contract/event.ts";
import { heartbeatConversation } from "../../../src/contract/task/task.ts";
import type { Tool } from "../../../src/contract/tool.ts";
import { tasksRoom } from "../../../src/tasks/tasks-room.ts";
import { openAssistant } from "../assistant.ts";
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../scripted-model.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const noon = Date.UTC(2026, 10, 16, 12, 10);
export const [minute, hour] = [60_000, 3_600_000];
export const quiet = { text: "**HEARTBEAT_OK**." };

type Options = {
  home?: string;
  written?: string;
  settings?: Record<string, unknown>;
  model?: ScriptedModel;
  tools?: readonly Tool[];
  at?: number;
};

export async function openHeartbeatScene(answers: readonly ScriptedAnswer[], options: Options = {}) {
  const home = options.home ?? (await temporaryFolder());
  const file = join(home, "workspace", "HEARTBEAT.md");
  await mkdir(join(home, "workspace"), { recursive: true });
  await writeFile(file, options.written ?? "- Has the post come?\n");
  const clock = { nowMs: options.at ?? noon };
  const model = options.model ?? scriptedModel(answers);
  const assistant = await openAssistant({
    ...{ home, model, rooms: [tasksRoom], nowMs: () => clock.nowMs },
    settings: { heartbeat: options.settings ?? {}, memory: { tidy: { enabled: false } } },
    tools: options.tools ?? [],
  });
  return {
    ...assistant,
    home,
    clock,
    model,
    write: (text: string) => writeFile(file, text),
    /** A look now; what became of it. */
    async beat(passedMs = 10 * minute) {
      clock.nowMs += passedMs;
      const settled = (await assistant.events()).filter(({ type }) => type === "task.settled").length;
      await assistant.call("heartbeat.beat", {});
      return (await assistant.until("task.settled", settled + 1)).at(-1);
    },
    /** What the owner was told, and where. */
    async told() {
      const spoken = (await assistant.events()).filter(
        (event): event is EventOf<"reply.written"> => event.type === "reply.written" && event.task?.id === "heartbeat",
      );
      return spoken.map(({ conversation, text }) => `${conversation}: ${text}`);
    },
    jobs: async () =>
      (await assistant.store.database.query("SELECT state FROM jobs ORDER BY due_at_ms")).map(({ state }) => state),
    looks: async () =>
      (await assistant.events()).filter(
        (event): event is EventOf<"message.received"> =>
          event.type === "message.received" && event.conversation === heartbeatConversation,
      ),
  };
}
