// What somebody has written into the form, and the call it becomes.
import type { MethodInput } from "../../../../src/contract/wire/method.ts";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import { plainWhen, wordsOf } from "../task-words.ts";

export type Beginning = "time" | "webhook" | "file" | "mail" | "command" | "task";

export type TaskDraft = {
  action: "do" | "say";
  words: string;
  begins: Beginning;
  when: string;
  hookName: string;
  signed: boolean;
  path: string;
  mailFrom: string;
  mailSubject: string;
  matching: string;
  afterTask: string;
  afterWhen: "any" | "done" | "failed";
  title: string;
  until: string;
  deliverTo: string;
  missed: PlannedTask["missed"];
  /** Empty: as is usual for what begins it. */
  overlap: PlannedTask["overlap"] | "";
  deleteAfterRun: boolean;
  budgetUsd: string;
  model: string;
  agent: string;
  timeZone: string;
};

export type DraftProblems = Partial<Record<"words" | "when" | "path" | "afterTask" | "budgetUsd", string>>;

export const emptyDraft: TaskDraft = {
  ...{ action: "do", words: "", begins: "time", when: "", hookName: "", signed: true, path: "", matching: "" },
  ...{ mailFrom: "", mailSubject: "" },
  ...{ afterTask: "", afterWhen: "any", title: "", until: "", deliverTo: "last", missed: "once", overlap: "" },
  ...{ deleteAfterRun: false, budgetUsd: "", model: "", agent: "", timeZone: "" },
};

export function draftOf(task: PlannedTask): TaskDraft {
  const { trigger } = task;
  const isTimed = trigger.kind === "cron" || trigger.kind === "every" || trigger.kind === "once";
  return {
    ...emptyDraft,
    action: task.action.kind,
    words: wordsOf(task),
    begins: isTimed ? "time" : trigger.kind,
    // the time zone has a field of its own
    when: isTimed ? plainWhen(task.when) : "",
    title: task.title,
    until: task.until ?? "",
    ...{ deliverTo: task.deliverTo, missed: task.missed, overlap: task.overlap, deleteAfterRun: task.deleteAfterRun },
    budgetUsd: task.budgetUsd === undefined ? "" : String(task.budgetUsd),
    model: task.model ?? "",
    agent: task.agent ?? "",
    timeZone: trigger.kind === "cron" ? trigger.timeZone : "",
  };
}

/** "on Friday 20 November at 9", with the year where it is another one; in English, as the gateway reads it. */
export function dayWords(day: string, nowMs = Date.now()): string {
  const atMs = Date.parse(day);
  const isThisYear = day.startsWith(String(new Date(nowMs).getFullYear()));
  const words = new Intl.DateTimeFormat("en-GB", {
    ...{ weekday: "long", day: "numeric", month: "long", timeZone: "UTC" },
    ...(isThisYear ? {} : { year: "numeric" }),
  });
  return `on ${words.format(atMs).replace(",", "")} at ${hourOn(day, nowMs)}`;
}

// a day begins at nine, and today with the next hour
function hourOn(day: string, nowMs: number): number {
  const now = new Date(nowMs);
  const isToday = Date.parse(day) === Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return isToday ? Math.min(23, Math.max(9, now.getHours() + 1)) : 9;
}

/** What a glance finds; the gateway judges the rest. */
export function checkDraft(draft: TaskDraft): DraftProblems {
  const problems: DraftProblems = {};
  if (draft.words.trim() === "")
    problems.words = draft.action === "say" ? "Write what you want to be told." : "Write what is to be done.";
  if (draft.begins === "time" && draft.when.trim() === "") problems.when = "Write when, such as “tomorrow at 9”.";
  if (draft.begins === "file" && draft.path.trim() === "") problems.path = "Write which file or folder.";
  if (draft.begins === "task" && draft.afterTask === "") problems.afterTask = "Choose a task.";
  if (draft.budgetUsd.trim() !== "" && !(readUsd(draft.budgetUsd) > 0))
    problems.budgetUsd = "Write an amount in US dollars, such as 0.50.";
  return problems;
}

export function createParams(draft: TaskDraft, idempotencyKey: string): MethodInput<"tasks.create"> {
  return {
    when: draft.when.trim(),
    action: actionOf(draft),
    ...choicesOf(draft),
    ...(draft.timeZone.trim() !== "" && { timeZone: draft.timeZone.trim() }),
    idempotencyKey,
  };
}

export function createEventParams(draft: TaskDraft, idempotencyKey: string): MethodInput<"tasks.createEventTrigger"> {
  return { prompt: draft.words.trim(), trigger: triggerOf(draft), ...choicesOf(draft), idempotencyKey };
}

/** Only what was changed is named, so that what somebody else has changed meanwhile stays. */
export function editParams(task: PlannedTask, draft: TaskDraft): MethodInput<"tasks.edit"> {
  const before = draftOf(task);
  const isChanged = (...names: readonly (keyof TaskDraft)[]) => names.some((name) => draft[name] !== before[name]);
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    id: task.id,
    ...(isChanged("when", "timeZone") && draft.begins === "time" && { when: draft.when.trim() }),
    ...(isChanged("timeZone") && draft.timeZone.trim() !== "" && { timeZone: draft.timeZone.trim() }),
    ...(isChanged("action", "words") && { action: actionOf(draft) }),
    ...titleChange(task, draft),
    ...(isChanged("until") && { until: orNull(draft.until) }),
    ...(isChanged("deliverTo") && { deliverTo: draft.deliverTo }),
    ...(isChanged("missed") && { missed: draft.missed }),
    ...(isChanged("overlap") && draft.overlap !== "" && { overlap: draft.overlap }),
    ...(isChanged("deleteAfterRun") && { deleteAfterRun: draft.deleteAfterRun }),
    ...(isChanged("budgetUsd") && { budgetUsd: draft.budgetUsd.trim() === "" ? null : readUsd(draft.budgetUsd) }),
    ...(isChanged("model") && { model: orNull(draft.model) }),
    ...(isChanged("agent") && { agent: orNull(draft.agent) }),
  };
}

/** Every call of a webhook and every mail brings something else, so none is left out; any other time has another one after it. */
export function usualOverlap(begins: Beginning): PlannedTask["overlap"] {
  return begins === "webhook" || begins === "mail" ? "wait" : "skip";
}

const longestTitle = 60;

// a name that was taken from the words goes with them
function titleChange(task: PlannedTask, draft: TaskDraft): { title?: string } {
  const title = draft.title.trim();
  if (title !== "" && title !== task.title) return { title };
  const isTaken = title === "" || task.title === titleOf(wordsOf(task));
  const taken = titleOf(draft.words);
  return isTaken && taken !== task.title ? { title: taken } : {};
}

function titleOf(words: string): string {
  const line = words.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…`.toWellFormed() : line;
}

function actionOf(draft: TaskDraft): PlannedTask["action"] {
  const words = draft.words.trim();
  return draft.action === "say" ? { kind: "say", text: words } : { kind: "do", prompt: words };
}

function triggerOf(draft: TaskDraft): MethodInput<"tasks.createEventTrigger">["trigger"] {
  switch (draft.begins) {
    case "file":
      return { kind: "file", path: draft.path.trim() };
    case "mail":
      return { kind: "mail", ...mailsOf(draft) };
    case "command":
      return { kind: "command", ...(draft.matching.trim() !== "" && { matching: draft.matching.trim() }) };
    case "task":
      return { kind: "task", task: draft.afterTask, when: draft.afterWhen };
    default: {
      const name = draft.hookName.trim();
      return { kind: "webhook", signed: draft.signed, ...(name !== "" && { name }) };
    }
  }
}

function mailsOf({ mailFrom, mailSubject }: TaskDraft) {
  const [from, subject] = [mailFrom.trim(), mailSubject.trim()];
  return { ...(from !== "" && { from }), ...(subject !== "" && { subject }) };
}

function choicesOf(draft: TaskDraft) {
  const text = (name: "title" | "until" | "model" | "agent") =>
    draft[name].trim() === "" ? {} : { [name]: draft[name].trim() };
  const { deliverTo, missed, overlap } = draft;
  return {
    ...{ ...text("title"), ...text("until"), ...text("model"), ...text("agent") },
    ...{ deliverTo, missed },
    ...(overlap !== "" && { overlap }),
    ...(draft.deleteAfterRun && { deleteAfterRun: true }),
    ...(draft.budgetUsd.trim() !== "" && { budgetUsd: readUsd(draft.budgetUsd) }),
  };
}

function readUsd(text: string): number {
  return Number(
    text
      .trim()
      .replace(/^\$\s*/, "")
      .replace(",", "."),
  );
}
