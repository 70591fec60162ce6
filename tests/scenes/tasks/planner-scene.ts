// A Steward with tasks whose clock the test moves, and models that answer by what they were told last.
import type { ModelRequest } from "../../../src/contract/model.ts";
import type { PlannedTask, TaskRun } from "../../../src/contract/wire/methods/tasks.ts";
import { tasksRoom } from "../../../src/tasks/tasks-room.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";
import { eventually } from "../eventually.ts";
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../scripted-model.ts";

/** `step`: how often the model has answered since. */
export type Told = { words: string; step: number; request: ModelRequest };

export function modelThat(answers: (told: Told) => ScriptedAnswer): ScriptedModel {
  return scriptedModel((request) => {
    const last = request.messages.findLastIndex((message) => message.role === "user");
    const message = request.messages[last];
    const words = message?.role === "user" ? message.content.map((part) => ("text" in part ? part.text : "")) : [];
    const step = request.messages.slice(last).filter(({ role }) => role === "assistant").length;
    return answers({ words: words.join("\n"), step, request });
  });
}

export const calling = (tool: string, args: object): ScriptedAnswer => ({
  text: "",
  calls: [{ tool, arguments: args }],
});

export const systemText = ({ system }: ModelRequest): string => system.map(({ text }) => text).join("\n");

/** It is `startAt` when the scene opens, and time goes by as it does, with leaps where the test asks for them. */
export async function openPlanner(options: Omit<AssistantOptions, "nowMs"> & { startAt: string }) {
  let aheadMs = Date.parse(options.startAt) - Date.now();
  const nowMs = () => Date.now() + aheadMs;
  const assistant = await openAssistant({ ...options, nowMs, rooms: [...(options.rooms ?? []), tasksRoom] });
  const tasks = async (): Promise<readonly PlannedTask[]> =>
    ((await assistant.call("tasks.list", { ended: true })) as { tasks: PlannedTask[] }).tasks;
  const runs = async (id: string): Promise<readonly TaskRun[]> =>
    ((await assistant.call("tasks.history", { id })) as { runs: TaskRun[] }).runs;
  return {
    ...assistant,
    tasks,
    runs,
    async onlyTask(): Promise<PlannedTask> {
      const [task, ...others] = await tasks();
      if (!task || others.length > 0) throw new Error(`there are ${others.length + (task ? 1 : 0)} tasks`);
      return task;
    },
    /** What tasks have said in a conversation. */
    async toldIn(conversation: string): Promise<readonly string[]> {
      const events = await assistant.events();
      return events.flatMap((event) =>
        event.type === "reply.written" && event.task && event.conversation === conversation ? [event.text] : [],
      );
    },
    /** It is this time now; whoever waits for it looks at the clock again. */
    async leapTo(time: string): Promise<void> {
      aheadMs = Date.parse(time) - Date.now();
      for (const { id, title, state } of await tasks())
        if (state === "active") await assistant.call("tasks.edit", { id, title });
    },
    settledRuns: (id: string, count: number) =>
      eventually(async () => (await runs(id)).filter(({ settled }) => settled !== undefined).length >= count),
  };
}
export type Planner = Awaited<ReturnType<typeof openPlanner>>;
