// What the assistant can do with tasks: it makes them with no more rights than whoever asks, and never unseen beside untrusted text.
import { z } from "zod";
import { isBackground, taskConversation } from "../../contract/task/task.ts";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { findTask, runsOf, type StoredTask } from "../../store/tasks/tasks.ts";
import { cancelTask, pauseTask, resumeTask, runTaskNow } from "../plan/change-task.ts";
import { showRun } from "../plan/shown-task.ts";
import type { TaskDeps } from "../task-deps.ts";
import { answering } from "./answering.ts";
import { looking, planning } from "./effects.ts";
import { pickTask, previewOf, tasksFor } from "./pick-task.ts";
import { scheduleTool } from "./schedule-tool.ts";
import { lineOf, runLine } from "./task-words.ts";

const ById = z.object({ id: z.string().min(1).max(200) });

export function taskTools(deps: TaskDeps): readonly Tool[] {
  return [
    scheduleTool(deps),
    listTool(deps),
    changeTool(deps, "pause"),
    changeTool(deps, "resume"),
    changeTool(deps, "run"),
    changeTool(deps, "cancel"),
    historyTool(deps),
  ];
}

function listTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "list_tasks",
    description: "What is planned.",
    arguments: z.object({}),
    ...looking,
    formatApproval: () => "List what is planned",
    run: (context) =>
      answering(async (tell) => {
        const tasks = await tasksFor(deps, context);
        tell(await labelsShown(deps, tasks));
        if (tasks.length === 0) return "Nothing is planned.";
        return (await Promise.all(tasks.map((task) => lineOf(deps, task, context)))).join("\n");
      }),
  });
}

type Change = {
  description: string;
  asks: string;
  words: string;
  change(deps: TaskDeps, id: string, context: ToolContext): unknown;
};

/** Of the tasks themselves, and of those whose titles stand in "after each run of …". */
async function labelsShown({ database }: TaskDeps, tasks: readonly StoredTask[]): Promise<readonly string[]> {
  const named = tasks.flatMap(({ definition: { trigger } }) => (trigger.kind === "task" ? [trigger.task] : []));
  const others = await Promise.all(named.map((id) => findTask(database, id)));
  return [...tasks, ...others].flatMap((task) => task?.labels ?? []);
}

const changes = {
  pause: {
    description: "Pause a task.",
    asks: "Pause",
    words: "Paused",
    change: (deps, id, { asker }) => pauseTask(deps, id, asker),
  },
  resume: {
    description: "Go on with a paused task.",
    asks: "Go on with",
    words: "Goes on",
    change: (deps, id, { asker }) => resumeTask(deps, id, asker),
  },
  run: {
    description: "Run a task now.",
    asks: "Run now",
    words: "Begun",
    // called again after a crash, it is still one run
    change: (deps, id, { turn, callId }) => runTaskNow(deps, id, `${turn}:${callId}`),
  },
  cancel: {
    description: "End a task, also the one you are in.",
    asks: "Cancel",
    words: "Cancelled",
    change: (deps, id, { asker, conversation }) => cancelTask(deps, id, asker, conversation),
  },
} satisfies Record<string, Change>;

function changeTool(deps: TaskDeps, kind: keyof typeof changes): Tool {
  const { description, change, words, asks } = changes[kind];
  return defineTool({
    name: `${kind}_task`,
    description,
    arguments: ById,
    ...planning,
    formatApproval: ({ id }) => `${asks}: the task ${id}`,
    preview: async (asked, { id }) => previewOf(deps, asked, id, `${asks}: the task ${id}`),
    run: (context, { id }) =>
      answering(async (tell) => {
        const task = await pickTask(deps, context, id, tell);
        if (isBackground(context.conversation) && taskConversation(task.id) !== context.conversation)
          throw new CallRefused(
            "forbidden",
            "A run changes no other task than its own. Say in your answer what should be changed.",
          );
        await change(deps, task.id, context);
        return `${words}: “${task.definition.title}” (${task.id}).`;
      }),
  });
}

function historyTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "task_history",
    description: "The last runs of a task.",
    arguments: ById,
    ...looking,
    formatApproval: ({ id }) => `The last runs of the task ${id}`,
    run: (context, { id }) =>
      answering(async (tell) => {
        const task = await pickTask(deps, context, id, tell);
        const runs = await runsOf(deps.database, task.id, 20);
        const { labels = [] } = (await conversationState(deps.database, taskConversation(task.id))) ?? {};
        tell(labels);
        if (runs.length === 0) return `“${task.definition.title}” has not run yet.`;
        const shown = await Promise.all(runs.map((run) => showRun(deps, run)));
        return shown.map((run) => runLine(run, deps.timeZone)).join("\n");
      }),
  });
}
