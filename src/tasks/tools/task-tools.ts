// What the assistant can do with tasks: it makes them with no more rights than whoever asks, and never unseen beside untrusted text.
import { z } from "zod";
import { isBackground, type Schedule, type TaskAction, taskConversation } from "../../contract/task/task.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { runsOf } from "../../store/tasks/tasks.ts";
import { cancelTask, pauseTask, resumeTask } from "../plan/change-task.ts";
import { makeTask } from "../plan/make-task.ts";
import { readDefinition, readSchedule } from "../plan/read-wish.ts";
import { showRun } from "../plan/shown-task.ts";
import type { TaskDeps } from "../task-deps.ts";
import { ownTask, pickTask, type TellLabels, tasksFor } from "./pick-task.ts";
import { placesNamedIn } from "./places-named.ts";
import { lineOf, plannedWords, runLine } from "./task-words.ts";

const effects = { result: textResult, undo: { kind: "impossible", reason: "cancel_task takes it back" } } as const;
const ById = z.object({ id: z.string().min(1).max(200) });

export function taskTools(deps: TaskDeps): readonly Tool[] {
  return [
    scheduleTool(deps),
    listTool(deps),
    changeTool(deps, "pause"),
    changeTool(deps, "resume"),
    changeTool(deps, "cancel"),
    historyTool(deps),
  ];
}

const Wish = z.object({
  when: z.string().max(500).optional().describe("cron, ISO time or words: every weekday at 9"),
  prompt: z.string().max(20_000).optional().describe("what to do then"),
  remind: z.string().max(20_000).optional().describe("or what to say"),
  sentence: z.string().max(8_000).optional(),
  title: z.string().max(120).optional(),
  until: z.string().max(1_000).optional().describe("ends when this holds"),
  deliver_to: z.string().max(180).optional(),
});
type Wish = z.infer<typeof Wish>;

function scheduleTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "schedule_task",
    description: "Do or say something later, once or often.",
    arguments: Wish,
    ...effects,
    effects: ["plans"],
    class: "idempotent",
    // whoever runs later may go wherever these words name
    destinations: (args) => [...placesIn(args), ...foreignPlace(args.deliver_to ?? "last")],
    formatApproval: (args) => questionOf(args),
    run: (context, args) => answering(() => schedule(deps, context, args)),
  });
}

/** Named in the words of it: each is the owner's, or they have said yes to it. What is not found here they will be asked about. */
function placesIn({ prompt = "", until = "" }: Wish): readonly string[] {
  return placesNamedIn(`${prompt}\n${until}`);
}

/** How many runs stand between it and a person. */
async function generationIn(deps: TaskDeps, { conversation }: ToolContext): Promise<number> {
  return isBackground(conversation) ? ((await ownTask(deps, { conversation }))?.generation ?? 0) + 1 : 0;
}

/** Where somebody else may listen. */
function foreignPlace(deliverTo: string): readonly string[] {
  return ["origin", "last", "main", "none"].includes(deliverTo) ? [] : [deliverTo];
}

async function schedule(deps: TaskDeps, context: ToolContext, args: Wish): Promise<string> {
  const { trigger, action } = await readWords(deps, args);
  const given = { title: args.title, until: args.until, deliverTo: args.deliver_to };
  const definition = readDefinition(
    { action, ...given, deleteAfterRun: action.kind === "say" && trigger.kind === "once" },
    trigger,
  );
  const { labels = [] } = (await conversationState(deps.database, context.conversation)) ?? {};
  const { task } = await makeTask(deps, {
    ...{ definition, by: context.asker, madeIn: await groupOf(deps, context), labels },
    byTool: { named: placesIn(args), generation: await generationIn(deps, context) },
    // run again after a crash, it is still one task
    idempotencyKey: `${context.turn}:${context.callId}`,
  });
  return plannedWords(deps, task);
}

/** A task that a run makes belongs where the run's own task does. */
async function groupOf(deps: TaskDeps, { conversation }: ToolContext): Promise<string> {
  if (!isBackground(conversation)) return conversation;
  return (await ownTask(deps, { conversation }))?.madeIn ?? "";
}

async function readWords(
  deps: TaskDeps,
  { when, prompt, remind, sentence }: Wish,
): Promise<{ trigger: Schedule; action: TaskAction }> {
  if (sentence !== undefined) {
    if (when !== undefined || prompt !== undefined || remind !== undefined)
      throw new CallRefused("invalid", "A sentence holds the time and the words; give nothing beside it.");
    const { findWhen } = await import("../schedule/read-when.ts");
    const found = await findWhen(sentence, { nowMs: deps.world.nowMs(), timeZone: deps.timeZone });
    if (!found.ok) throw new CallRefused("invalid", found.problem);
    if (found.rest.trim() === "")
      throw new CallRefused("invalid", "What shall I remind you of? Say for example: remind me at six to call mum.");
    return { trigger: found.schedule, action: { kind: "say", text: found.rest } };
  }
  if ((prompt === undefined) === (remind === undefined))
    throw new CallRefused("invalid", "Give either prompt (what to do) or remind (what to say).");
  if (when === undefined)
    throw new CallRefused("invalid", "Give when, such as “tomorrow at six” or “every weekday at 9”.");
  const action: TaskAction =
    remind === undefined ? { kind: "do", prompt: prompt ?? "" } : { kind: "say", text: remind };
  return { trigger: await readSchedule(deps, when), action };
}

function questionOf({ when, prompt, remind, sentence, title, until, deliver_to }: Wish): string {
  const what = sentence ?? remind ?? prompt ?? "";
  const lines = [
    `${prompt === undefined ? "Remind" : "Do later"}${when === undefined ? "" : `, ${when}`}:`,
    what,
    ...(title === undefined ? [] : [`Called: ${title}`]),
    ...(until === undefined ? [] : [`Until: ${until}`]),
    ...(deliver_to === undefined ? [] : [`The answer goes to: ${deliver_to}`]),
  ];
  return lines.join("\n");
}

function listTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "list_tasks",
    description: "What is planned.",
    arguments: z.object({}),
    ...effects,
    effects: ["reads"],
    class: "read",
    formatApproval: () => "List what is planned",
    run: (context) =>
      answering(async (tell) => {
        const tasks = await tasksFor(deps, context);
        tell(tasks.flatMap(({ labels }) => labels));
        if (tasks.length === 0) return "Nothing is planned.";
        return (await Promise.all(tasks.map((task) => lineOf(deps, task)))).join("\n");
      }),
  });
}

const changes = {
  pause: { description: "Pause a task.", change: pauseTask, words: "Paused" },
  resume: { description: "Go on with a paused task.", change: resumeTask, words: "Goes on" },
  cancel: { description: "End a task, also the one you are in.", change: undefined, words: "Cancelled" },
} as const;

function changeTool(deps: TaskDeps, kind: keyof typeof changes): Tool {
  const { description, change, words } = changes[kind];
  return defineTool({
    name: `${kind}_task`,
    description,
    arguments: ById,
    ...effects,
    effects: ["plans"],
    class: "idempotent",
    formatApproval: ({ id }) => `${words}: the task ${id}`,
    run: (context, { id }) =>
      answering(async (tell) => {
        const task = await pickTask(deps, context, id, tell);
        if (isBackground(context.conversation) && taskConversation(task.id) !== context.conversation)
          throw new CallRefused(
            "forbidden",
            "A run changes no other task than its own. Say in your answer what should be changed.",
          );
        const by = context.asker;
        if (change) await change(deps, task.id, by);
        else await cancelTask(deps, task.id, by, context.conversation);
        return `${words}: “${task.definition.title}” (${task.id}).`;
      }),
  });
}

function historyTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "task_history",
    description: "The last runs of a task.",
    arguments: ById,
    ...effects,
    effects: ["reads"],
    class: "read",
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

/** What was refused is told to the model in the same words, and whoever's words stand in it are known either way. */
async function answering(work: (tell: TellLabels) => Promise<string>): Promise<ToolResult> {
  const labels = new Set<string>();
  const tell: TellLabels = (found) => {
    for (const label of found) labels.add(label);
  };
  try {
    const output = await work(tell);
    return { outcome: "done", output, labels: [...labels] };
  } catch (cause) {
    if (!(cause instanceof CallRefused)) throw cause;
    return { outcome: "failed", output: cause.message, labels: [...labels] };
  }
}
