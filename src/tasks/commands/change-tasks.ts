// Tasks are made, changed and begun: what the commands of that name do.
import { Failure } from "../../contract/failure.ts";
import type { CommandContext, CommandInput } from "../../contract/room/command.ts";
import { printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { PlannedTask } from "../../contract/wire/methods/tasks.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { findTask } from "./find-task.ts";
import { clockOf } from "./print-tasks.ts";
import { type Beginning, readAction, readBeginning, readChanges, readChoices } from "./read-options.ts";
import { plannedWords, titleWords } from "./task-words.ts";

type Made = MethodResult<"tasks.create">;

export function addTask(input: CommandInput, context: CommandContext): Promise<number> {
  const words = input.arguments.join(" ");
  const beginning = readBeginning(input);
  if (!("when" in beginning) && input.flags.has("remind"))
    throw new Failure("A reminder has a time: use --when with --remind, or leave --remind out.");
  if (!("when" in beginning) && input.values.group !== undefined)
    throw new Failure("A task of a group has a time: use --when with --group, or leave --group out.");
  return withClient(context, async (client) => {
    const made = await make(client, { words, beginning, input });
    if (input.flags.has("json")) printJson(context.console, made);
    else await tellMade(context, client, made);
    return 0;
  });
}

type Wish = { words: string; beginning: Beginning; input: CommandInput };

async function make(client: GatewayClient, { words, beginning, input }: Wish): Promise<Made> {
  const choices = readChoices(input);
  if ("when" in beginning) {
    const { group } = input.values;
    const wish = { when: beginning.when, action: readAction(words, input), ...choices };
    return client.call("tasks.create", { ...wish, ...(group !== undefined && { group }) });
  }
  const { trigger } = beginning;
  const named = trigger.kind === "task" ? { ...trigger, task: (await findTask(client, trigger.task)).id } : trigger;
  return client.call("tasks.createEventTrigger", { prompt: words, trigger: named, ...choices });
}

async function tellMade(context: CommandContext, client: GatewayClient, made: Made): Promise<void> {
  const { output, errors } = context.console;
  output.write(`${plannedWords(made.task, clockOf(context))}\n`);
  const health = await client.call("health.check", {});
  if (made.path !== undefined) {
    const base = /^https?:\/\/[^/]+/.exec(health.page)?.[0] ?? "";
    output.write(`Address: ${visibleLine(`${base}${made.path}`, 1000)}\n`);
    if (made.secret !== undefined) output.write(`Secret: ${visibleLine(made.secret, 1000)}\n`);
    errors.write("Keep them now: they are not shown again.\n");
  }
  if (made.task.action.kind === "do" && !(await client.call("setup.status", {})).done)
    errors.write(
      "No language model is connected: only what the built-in rules understand can be done. Connect one: steward open\n",
    );
  tellWhenNobodyRuns(context, health);
}

function tellWhenNobodyRuns({ console }: CommandContext, { mode, pid }: MethodResult<"health.check">): void {
  if (mode === "chat" && pid === process.pid)
    console.errors.write("No Steward runs now, and nothing is done until one does. Start it with: steward daemon\n");
}

export function editTask(input: CommandInput, context: CommandContext): Promise<number> {
  const [wanted = "", ...words] = input.arguments;
  const changes = readChanges(input);
  const text = words.join(" ");
  return withClient(context, async (client) => {
    const before = await findTask(client, wanted);
    const action = newAction(before, text, input);
    if (Object.keys(changes).length === 0 && !action)
      throw new Failure("Say what is to change: new words, or an option. What there is: steward tasks edit --help");
    const { task } = await client.call("tasks.edit", { id: before.id, ...changes, ...(action && { action }) });
    if (input.flags.has("json")) printJson(context.console, { task });
    else context.console.output.write(`${plannedWords(task, clockOf(context), "Changed")}\n`);
    return 0;
  });
}

// a reminder stays one, and a task becomes one when asked to
function newAction({ action }: PlannedTask, words: string, { flags }: CommandInput): PlannedTask["action"] | undefined {
  const isReminder = action.kind === "say" || flags.has("remind");
  if (words === "" && isReminder === (action.kind === "say")) return undefined;
  const text = words || (action.kind === "say" ? action.text : action.prompt);
  return isReminder ? { kind: "say", text } : { kind: "do", prompt: text };
}

type Turning = { call: "tasks.pause" | "tasks.resume"; verb: string };

export function turnTask(input: CommandInput, context: CommandContext, { call, verb }: Turning): Promise<number> {
  return withClient(context, async (client) => {
    const { id } = await findTask(client, input.arguments[0] ?? "");
    const { task } = await client.call(call, { id });
    if (input.flags.has("json")) printJson(context.console, { task });
    else if (call === "tasks.pause") context.console.output.write(`${verb}: ${titleWords(task)}.\n`);
    else {
      context.console.output.write(`${plannedWords(task, clockOf(context), verb)}\n`);
      tellWhenNobodyRuns(context, await client.call("health.check", {}));
    }
    return 0;
  });
}

export function cancelTask(input: CommandInput, context: CommandContext): Promise<number> {
  return withClient(context, async (client) => {
    const task = await findTask(client, input.arguments[0] ?? "");
    if (task.state === "ended") throw new Failure(`${titleWords(task)} is over already (${task.ended ?? "ended"}).`);
    await client.call("tasks.cancel", { id: task.id });
    if (input.flags.has("json")) printJson(context.console, { id: task.id, cancelled: true });
    else
      context.console.output.write(`Cancelled: ${titleWords(task)}. Its runs stay: steward tasks history ${task.id}\n`);
    return 0;
  });
}
