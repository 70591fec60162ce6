// The one tool that makes a task or changes it: by times or by what happens, and with no more rights than whoever asks.
import { z } from "zod";
import { isBackground, type Schedule, type TaskAction, type Trigger } from "../../contract/task/task.ts";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { findGroup } from "../../store/channels/find-group.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import type { StoredTask } from "../../store/tasks/tasks.ts";
import { editTask } from "../plan/change-task.ts";
import { requireGroupsOwn } from "../plan/for-group.ts";
import { makeTask } from "../plan/make-task.ts";
import { readChange, readDefinition, readSchedule } from "../plan/read-wish.ts";
import type { TaskDeps } from "../task-deps.ts";
import { type MailFilter, readMailFilter } from "../triggers/read-mail-filter.ts";
import { answering, type TellLabels } from "./answering.ts";
import { planning } from "./effects.ts";
import { ownTask, pickTask, previewOf } from "./pick-task.ts";
import { placesNamedIn } from "./places-named.ts";
import { plannedWords } from "./task-words.ts";

const Wish = z.object({
  when: z.string().max(500).optional().describe("cron, ISO time or words: every weekday at 9"),
  on: z.string().max(1_000).optional().describe("or: file:inbox, command:make, task:ID, mail:from=a@b subject=x"),
  prompt: z.string().max(20_000).optional().describe("what to do"),
  remind: z.string().max(20_000).optional().describe("or to say"),
  sentence: z.string().max(8_000).optional(),
  title: z.string().max(120).optional(),
  until: z.string().max(1_000).optional().describe("ends when this holds"),
  deliver_to: z.string().max(180).optional(),
  group: z.string().min(1).max(200).optional(),
  id: z.string().min(1).max(200).optional().describe("to change it"),
});
type Wish = z.infer<typeof Wish>;

export function scheduleTool(deps: TaskDeps): Tool {
  return defineTool({
    name: "schedule_task",
    description: "Do or say something later.",
    arguments: Wish,
    ...planning,
    // whoever runs later may go wherever these words name
    destinations: (args) => [
      ...placesIn(args),
      ...foreignPlace(args.deliver_to ?? "last"),
      ...(args.group === undefined ? [] : [args.group]),
    ],
    saysLater,
    formatApproval: (args) => questionOf(args),
    preview: async (asked, args) => previewOf(deps, asked, args.id, questionOf(args)),
    run: (context, args) =>
      answering((tell) =>
        args.id === undefined ? schedule(deps, context, args, tell) : change(deps, context, args, tell),
      ),
  });
}

/** Named in the words of it: each is the owner's, or they have said yes to it. What is not found here they will be asked about. */
function placesIn({ prompt = "", until = "" }: Wish): readonly string[] {
  return placesNamedIn(`${prompt}\n${until}`);
}

// what the offline model's timers and alarms say around the owner's own words
const around = /^(?:Time is up: (.*)\.|Timer: (.*)|Time to wake up\.|Alarm)$/s;

/** The words of a plain reminder. */
function saysLater({ remind, sentence, title, when: _, ...rest }: Wish): readonly string[] | undefined {
  const isPlain = Object.values(rest).every((value) => value === undefined);
  if (!isPlain || (remind ?? sentence) === undefined) return undefined;
  return [remind, sentence, title].flatMap((words) => {
    if (words === undefined) return [];
    const own = around.exec(words);
    return own ? (own[1] ?? own[2] ?? []) : [words];
  });
}

/** Where somebody else may listen. */
function foreignPlace(deliverTo: string): readonly string[] {
  return ["origin", "last", "main", "none"].includes(deliverTo) ? [] : [deliverTo];
}

async function schedule(deps: TaskDeps, context: ToolContext, args: Wish, tell: TellLabels): Promise<string> {
  requireOwnPlace(context, args);
  const told = new Set<string>();
  const { trigger, action } = await readWords(deps, context, args, (labels) => {
    for (const label of labels) told.add(label);
    tell(labels);
  });
  const { group } = args;
  const deliverTo = args.deliver_to ?? (context.group ? "origin" : undefined);
  const given = { title: args.title, until: args.until, deliverTo };
  const definition = readDefinition({ action, ...given }, trigger);
  const { task } = await makeTask(deps, {
    ...{ definition, by: context.asker, madeIn: await groupOf(deps, context), group },
    labels: [...new Set([...(await labelsIn(deps, context)), ...told])],
    byTool: { named: placesIn(args), generation: await generationIn(deps, context) },
    // run again after a crash, it is still one task
    idempotencyKey: `${context.turn}:${context.callId}`,
  });
  const words = await plannedWords(deps, task);
  return group === undefined
    ? words
    : `${words}\nFor the group ${(await findGroup(deps.database, task.madeIn))?.name}.`;
}

/** Whose words are in the conversation. */
async function labelsIn({ database }: TaskDeps, { conversation }: ToolContext): Promise<readonly string[]> {
  return (await conversationState(database, conversation))?.labels ?? [];
}

/** A task that a run makes belongs where the run's own task does. */
async function groupOf(deps: TaskDeps, { conversation }: ToolContext): Promise<string> {
  if (!isBackground(conversation)) return conversation;
  return (await ownTask(deps, { conversation }))?.madeIn ?? "";
}

/** How many runs stand between it and a person. */
async function generationIn(deps: TaskDeps, { conversation }: ToolContext): Promise<number> {
  return isBackground(conversation) ? ((await ownTask(deps, { conversation }))?.generation ?? 0) + 1 : 0;
}

function requireOwnPlace({ group, asker, conversation }: ToolContext, wish: Wish): void {
  const { on, deliver_to: deliverTo = "origin" } = wish;
  const isOwners = asker.kind === "owner" && !group && !isBackground(conversation);
  if (wish.group !== undefined && !isOwners)
    throw new CallRefused("forbidden", "The owner plans for groups, and only in a conversation of their own.");
  if (group || wish.group !== undefined) requireGroupsOwn({ isTimed: on === undefined, deliverTo });
}

type Words = { trigger: Trigger; action: TaskAction };

async function readWords(deps: TaskDeps, context: ToolContext, args: Wish, tell: TellLabels): Promise<Words> {
  const { when, on, prompt, remind, sentence } = args;
  const isAlone = [when, on, prompt, remind].every((value) => value === undefined);
  if (sentence !== undefined && !isAlone)
    throw new CallRefused("invalid", "A sentence holds the time and the words; give nothing beside it.");
  if (sentence !== undefined) return readSentence(deps, sentence);
  const action = actionOf(args);
  if (!action) throw new CallRefused("invalid", "Give either prompt (what to do) or remind (what to say).");
  if ((when === undefined) === (on === undefined))
    throw new CallRefused("invalid", "Give either when, such as “every weekday at 9”, or on, such as file:inbox.");
  const trigger = when === undefined ? await readEvent(deps, context, on ?? "", tell) : await readSchedule(deps, when);
  return { trigger, action };
}

async function readSentence(deps: TaskDeps, sentence: string): Promise<{ trigger: Schedule; action: TaskAction }> {
  const { findWhen } = await import("../schedule/read-when.ts");
  const found = await findWhen(sentence, { nowMs: deps.world.nowMs(), timeZone: deps.timeZone });
  if (!found.ok) throw new CallRefused("invalid", found.problem);
  if (found.rest.trim() === "")
    throw new CallRefused("invalid", "What shall I remind you of? Say for example: remind me at six to call mum.");
  return { trigger: found.schedule, action: { kind: "say", text: found.rest } };
}

/** Undefined: both were given, or neither. */
function actionOf({ prompt, remind }: Wish): TaskAction | undefined {
  if (remind !== undefined) return prompt === undefined ? { kind: "say", text: remind } : undefined;
  return prompt === undefined ? undefined : { kind: "do", prompt };
}

async function readEvent(deps: TaskDeps, context: ToolContext, on: string, tell: TellLabels): Promise<Trigger> {
  // what runs begin by what happens could begin each other without end
  if (isBackground(context.conversation))
    throw new CallRefused("forbidden", "A run plans by times only. Say in your answer what should begin by itself.");
  const [kind = "", ...parts] = on.split(":");
  const what = parts.join(":").trim();
  switch (kind.trim()) {
    case "file":
      return { kind: "file", path: what || "." };
    case "command":
      return { kind: "command", ...(what !== "" && { matching: what }) };
    case "task":
      return { kind: "task", task: (await pickTask(deps, context, what, tell)).id, when: "any" };
    case "mail":
      return { kind: "mail", ...requireMailFilter(what) };
    case "webhook":
      throw new CallRefused("invalid", "The owner makes webhooks, with steward tasks add --webhook or on the page.");
    default:
      throw new CallRefused(
        "invalid",
        `“${on}” is no event. Write file:PATH, command:WORDS, task:ID or mail:from=ADDRESS.`,
      );
  }
}

function requireMailFilter(words: string): MailFilter {
  const filter = readMailFilter(words);
  if (filter) return filter;
  throw new CallRefused(
    "invalid",
    `“${words}” names no mails. Write mail:from=ADDRESS subject=WORDS, or mail: for any.`,
  );
}

async function change(deps: TaskDeps, context: ToolContext, args: Wish, tell: TellLabels): Promise<string> {
  requireOwnPlace(context, args);
  const { id = "", when, on, prompt, remind, sentence, title, until, deliver_to: deliverTo } = args;
  if (isBackground(context.conversation))
    throw new CallRefused("forbidden", "A run changes no task. Say in your answer what should be changed.");
  if (args.group !== undefined)
    throw new CallRefused("invalid", "A task stays where it was made. Make a new one for the group.");
  if (on !== undefined || sentence !== undefined)
    throw new CallRefused("invalid", "What begins a task stays as it is but for its times. Make a new one.");
  const action = actionOf(args);
  if (!action && (prompt ?? remind) !== undefined)
    throw new CallRefused("invalid", "Give either prompt (what to do) or remind (what to say).");
  const picked = await pickTask(deps, context, id, tell);
  requireMaker(picked, context);
  const isReworded = action !== undefined || until !== undefined;
  const here = await labelsIn(deps, context);
  const edited = await editTask(deps, picked.id, context.asker, async (task) => ({
    definition: await readChange(deps, task.definition, { when, action, title, until, deliverTo }),
    byTool: {
      named: isReworded ? [...placesOf(task), ...placesIn(args)] : (task.named ?? null),
      labels: [...new Set([...task.labels, ...here])],
    },
  }));
  return plannedWords(deps, edited);
}

/** Words run with the rights of whoever made the task, so nobody else may put others in their place. */
function requireMaker({ madeBy }: StoredTask, { asker }: ToolContext): void {
  const isMaker = asker.kind === madeBy.kind && asker.id === madeBy.id;
  if (asker.kind !== "owner" && !isMaker)
    throw new CallRefused("forbidden", "Somebody else has made this task, and only they or the owner may change it.");
}

/** Those that its words had before are the owner's already. */
function placesOf({ named, definition: { action, until = "" } }: StoredTask): readonly string[] {
  return named ?? placesNamedIn(`${action.kind === "do" ? action.prompt : action.text}\n${until}`);
}

function questionOf({ id, when, on, prompt, remind, sentence, title, until, deliver_to, group }: Wish): string {
  const what = sentence ?? remind ?? prompt ?? "";
  const time = [when, on].find((value) => value !== undefined);
  const verb = prompt === undefined ? "Remind" : "Do later";
  const lines = [
    id === undefined ? `${verb}${time === undefined ? "" : `, ${time}`}:` : `Change the task ${id}:`,
    ...(id === undefined || time === undefined ? [] : [`When: ${time}`]),
    ...(what === "" ? [] : [what]),
    ...(title === undefined ? [] : [`Called: ${title}`]),
    ...(until === undefined ? [] : [`Until: ${until}`]),
    ...(deliver_to === undefined ? [] : [`The answer goes to: ${deliver_to}`]),
    ...(group === undefined ? [] : [`For the group: ${group}`]),
  ];
  return lines.join("\n");
}
