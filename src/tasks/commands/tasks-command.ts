import type { Command, CommandContext, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import { choiceOptions, groupOption, remindOption, triggerOptions } from "./task-options.ts";

const taskArgument = { form: "<task>", description: "the beginning of its title or id, as listed by: steward tasks" };
const taskFields = "id, title, action, trigger, when, state, nextAtMs?, lastRun?, …";
const runFields = "id, state, cause, dueAtMs, times, beganAtMs, finishedAtMs?, answer?, error?, costUsd, settled?";

const listTasks: SingleCommand = {
  name: "list",
  summary: "List what is planned (also without a command)",
  notes: jsonNotes(`tasks: [{${taskFields}}], total`),
  options: [{ form: "--all", description: "also what is over" }, jsonOption],
  async run({ flags }, context) {
    const { mostListed } = await import("./find-task.ts");
    const { printTasks } = await import("./print-tasks.ts");
    const wish = { limit: mostListed, ended: flags.has("all") };
    const listed = await withClient(context, (client) => client.call("tasks.list", wish));
    if (flags.has("json")) printJson(context.console, listed);
    else printTasks(context, listed);
    return 0;
  },
};

const showTask: SingleCommand = {
  name: "show",
  summary: "Show all about one task: its next five times and its last runs",
  notes: jsonNotes(`task: {${taskFields}}, nextAtMs: [], runs: [{${runFields}}]`),
  arguments: [taskArgument],
  options: [jsonOption],
  async run({ arguments: [wanted = ""], flags }, context) {
    const { nextTimes, printTask } = await import("./print-tasks.ts");
    const { findTask } = await import("./find-task.ts");
    const shown = await withClient(context, async (client) => {
      const { id } = await findTask(client, wanted);
      const { task, runs } = await client.call("tasks.history", { id, limit: 5 });
      return { task, nextAtMs: await nextTimes(client, task), runs };
    });
    if (flags.has("json")) printJson(context.console, shown);
    else printTask(context, shown);
    return 0;
  },
};

const addTask: SingleCommand = {
  name: "add",
  summary: "Plan something: what to do, and when",
  description:
    'Plan something: what the assistant is to do, or with --remind what it is to say, and when. For example: steward tasks add "Sum up my notes of the week" --when "every Friday at 16:00"',
  notes: jsonNotes(`task: {${taskFields}}, path?, secret?`),
  arguments: [{ form: "<words...>", description: "what is to be done or said" }],
  options: [...triggerOptions, remindOption, groupOption, ...choiceOptions, jsonOption],
  run: async (input, context) => (await import("./change-tasks.ts")).addTask(input, context),
};

const editTask: SingleCommand = {
  name: "edit",
  summary: "Change a task; whatever is not named stays",
  description:
    "Change a task; whatever is not named stays. The word none takes --until, --budget, --model or --agent away.",
  notes: jsonNotes(`task: {${taskFields}}`),
  arguments: [taskArgument, { form: "[words...]", description: "what is to be done or said from now on" }],
  options: [
    ...triggerOptions.filter(({ form }) => form.startsWith("--when")),
    remindOption,
    ...choiceOptions,
    { form: "--keep-after-run", description: "stay in the list after its last run" },
    jsonOption,
  ],
  run: async (input, context) => (await import("./change-tasks.ts")).editTask(input, context),
};

const pauseTask: SingleCommand = {
  name: "pause",
  summary: "Let a task rest until it is resumed",
  notes: jsonNotes(`task: {${taskFields}}`),
  arguments: [taskArgument],
  options: [jsonOption],
  run: async (input, context) =>
    (await import("./change-tasks.ts")).turnTask(input, context, { call: "tasks.pause", verb: "Paused" }),
};

const resumeTask: SingleCommand = {
  name: "resume",
  summary: "Let a paused task go on",
  notes: jsonNotes(`task: {${taskFields}}`),
  arguments: [taskArgument],
  options: [jsonOption],
  run: async (input, context) =>
    (await import("./change-tasks.ts")).turnTask(input, context, { call: "tasks.resume", verb: "Resumed" }),
};

const runTask: SingleCommand = {
  name: "run",
  summary: "Begin a run now, beside its times",
  notes: jsonNotes(`task: {${taskFields}}, run, outcome?: {${runFields}}`),
  arguments: [taskArgument],
  options: [{ form: "--wait", description: "wait for its end and print the answer" }, jsonOption],
  run: async (input, context) => (await import("./run-task.ts")).runTask(input, context),
};

const cancelTask: SingleCommand = {
  name: "cancel",
  summary: "End a task for good, also a run under way",
  notes: jsonNotes("id, cancelled"),
  arguments: [taskArgument],
  options: [jsonOption],
  run: async (input, context) => (await import("./change-tasks.ts")).cancelTask(input, context),
};

const showHistory: SingleCommand = {
  name: "history",
  summary: "List the runs of a task, the newest first",
  notes: jsonNotes(`task: {${taskFields}}, runs: [{${runFields}}]`),
  arguments: [taskArgument],
  options: [jsonOption],
  async run({ arguments: [wanted = ""], flags }, context: CommandContext) {
    const { findTask } = await import("./find-task.ts");
    const { printRuns } = await import("./print-tasks.ts");
    const history = await withClient(context, async (client) => {
      const { id } = await findTask(client, wanted);
      return client.call("tasks.history", { id });
    });
    if (flags.has("json")) printJson(context.console, history);
    else if (history.runs.length === 0) context.console.output.write("It has not run yet.\n");
    else printRuns(context, history.runs);
    return 0;
  },
};

const previewTime: SingleCommand = {
  name: "preview",
  summary: "Say what a time means, and the next five",
  notes: jsonNotes("ok, words, trigger?, nextAtMs: [], timeZone"),
  arguments: [{ form: "<words...>", description: 'such as "every second Tuesday at noon"' }],
  options: [...choiceOptions.filter(({ form }) => form.startsWith("--time-zone")), jsonOption],
  async run({ arguments: words, values, flags }, context) {
    const { printPreview } = await import("./print-tasks.ts");
    const timeZone = values["time-zone"];
    const wish = { when: words.join(" "), ...(timeZone !== undefined && { timeZone }) };
    const preview = await withClient(context, (client) => client.call("tasks.preview", wish));
    if (flags.has("json")) printJson(context.console, preview);
    else printPreview(context, preview);
    return preview.ok ? 0 : 1;
  },
};

export const tasksCommand: Command = {
  name: "tasks",
  summary: "Plan what is to be done or said later, and see what is planned",
  default: "list",
  commands: [
    ...[listTasks, showTask, addTask, editTask, pauseTask, resumeTask, runTask, cancelTask],
    ...[showHistory, previewTime],
  ],
};
