// What was written on the command line, read into what the methods of tasks take.
import { Failure } from "../../contract/failure.ts";
import type { CommandInput } from "../../contract/room/command.ts";
import { MissedPolicy, OverlapPolicy, type TaskAction } from "../../contract/task/task.ts";
import type { MethodInput } from "../../contract/wire/method.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { type MailFilter, readMailFilter } from "../triggers/read-mail-filter.ts";

type Written = Pick<CommandInput, "flags" | "values">;
type Trigger = MethodInput<"tasks.createEventTrigger">["trigger"];
type TriggerKind = Trigger["kind"];

/** A time in words, or something that happens. */
export type Beginning = { when: string } | { trigger: Trigger };

const example = 'steward tasks add "Water the plants" --remind --when "every other day at 8"';
const eventFlags = {
  file: "on-file",
  mail: "on-mail",
  command: "on-command",
  task: "after-task",
  webhook: "webhook",
} satisfies Record<TriggerKind, string>;

export function readBeginning(written: Written): Beginning {
  const given = ["when", ...Object.values(eventFlags)].filter((flag) => isGiven(written, flag));
  const [flag] = given;
  if (flag === undefined)
    throw new Failure(
      `Say when it begins with --when, for example: ${example}. Instead of a time: --on-file, --on-mail, --on-command, --after-task or --webhook.`,
    );
  if (given.length > 1)
    throw new Failure(
      `A task begins in one way. Leave out all but one of ${given.map((one) => `--${one}`).join(", ")}.`,
    );
  for (const [extra, needed] of [
    ["unsigned", "webhook"],
    ["outcome", "after-task"],
  ] as const)
    if (isGiven(written, extra) && flag !== needed) throw new Failure(`--${extra} belongs to --${needed}.`);
  return flag === "when" ? { when: written.values.when ?? "" } : { trigger: readTrigger(written, flag) };
}

function readTrigger({ flags, values }: Written, flag: string): Trigger {
  switch (flag) {
    case eventFlags.file:
      return { kind: "file", path: values[flag] ?? "" };
    case eventFlags.mail:
      return { kind: "mail", ...readMails(values[flag] ?? "") };
    case eventFlags.command:
      return { kind: "command", ...(values[flag] !== undefined && { matching: values[flag] }) };
    case eventFlags.task:
      return { kind: "task", task: values[flag] ?? "", when: readOutcome(values.outcome) };
    default:
      return { kind: "webhook", name: values[flag] ?? "", signed: !flags.has("unsigned") };
  }
}

function readMails(words: string): MailFilter {
  const filter = readMailFilter(words);
  if (filter) return filter;
  const shown = visibleLine(words, 40);
  throw new Failure(`“${shown}” names no mails. Write for example: --on-mail "from=boss@example.org subject=invoice".`);
}

function readOutcome(word: string | undefined): "any" | "done" | "failed" {
  return word === "done" || word === "failed" ? word : "any";
}

export function readAction(words: string, { flags }: Pick<Written, "flags">): TaskAction {
  return flags.has("remind") ? { kind: "say", text: words } : { kind: "do", prompt: words };
}

/** What may be chosen for a new task. */
export function readChoices(written: Written) {
  const { values } = written;
  return {
    ...shared(written),
    ...(values.until !== undefined && { until: values.until }),
    ...(values.budget !== undefined && { budgetUsd: readDollars(values.budget) }),
    ...(values.model !== undefined && { model: values.model }),
    ...(values.agent !== undefined && { agent: values.agent }),
  };
}

/** What may be changed of a task; "none" takes a choice away. */
export function readChanges(written: Written) {
  const { flags, values } = written;
  const budget = orNone(values.budget);
  return {
    ...shared(written),
    ...(flags.has("keep-after-run") && { deleteAfterRun: false }),
    ...(values.when !== undefined && { when: values.when }),
    ...(values.until !== undefined && { until: orNone(values.until) }),
    ...(values.budget !== undefined && { budgetUsd: budget === null ? null : readDollars(values.budget) }),
    ...(values.model !== undefined && { model: orNone(values.model) }),
    ...(values.agent !== undefined && { agent: orNone(values.agent) }),
  };
}

function shared({ flags, values }: Written) {
  return {
    ...(values.title !== undefined && { title: values.title }),
    ...(values["deliver-to"] !== undefined && { deliverTo: values["deliver-to"] }),
    ...(values.missed !== undefined && { missed: MissedPolicy.parse(values.missed) }),
    ...(values.overlap !== undefined && { overlap: OverlapPolicy.parse(values.overlap) }),
    ...(values["time-zone"] !== undefined && { timeZone: values["time-zone"] }),
    ...(flags.has("delete-after-run") && { deleteAfterRun: true }),
  };
}

function orNone(word: string | undefined): string | null {
  return word === undefined || word === "none" ? null : word;
}

function readDollars(text: string): number {
  const dollars = Number(text.trim().replace(/^\$/, ""));
  if (text.trim() !== "" && dollars > 0 && dollars <= 1000) return dollars;
  throw new Failure(`“${visibleLine(text, 40)}” is no sum of dollars. Give one up to 1000, such as --budget 0.50.`);
}

function isGiven({ flags, values }: Written, name: string): boolean {
  return flags.has(name) || values[name] !== undefined;
}
