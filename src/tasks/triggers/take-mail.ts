// A mail that has come: each task that waits for one like it begins a run, once, and has it as data.

import { fenced } from "../../contract/channel/fenced-data.ts";
import type { MailNews } from "../../contract/channel/mail-news.ts";
import type { RunRef, Trigger } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { eventByKey } from "../../store/tables/task-queries.ts";
import { activeTasks, countBegunSince, findTask, openRuns, type StoredTask } from "../../store/tasks/tasks.ts";
import { beginRun, NoRoom, runEventKey } from "../run/begin-run.ts";
import { skipRun } from "../run/skip-run.ts";
import type { TaskDeps } from "../task-deps.ts";

// anybody can write mails, and a task that writes some may be answered by a program
const mostInAnHour = 60;
const hourMs = 3_600_000;

/** Once it resolves, everything that the mail begins is on disk; the same mail again begins nothing more. */
export async function takeMail(deps: TaskDeps, mail: MailNews): Promise<void> {
  const { address, user } = deps.settings.channels.email;
  // what Steward has written itself is no news
  if ([address, user].some((own) => own?.toLowerCase() === mail.from && mail.from !== "")) return;
  const failures: unknown[] = [];
  for (const task of await activeTasks(deps.database, "mail"))
    if (fits(task.definition.trigger, mail)) await begin(deps, task, mail).catch((cause) => failures.push(cause));
  if (failures.length > 0) throw new AggregateError(failures, "Not every run could begin.");
}

function fits(trigger: Trigger, mail: MailNews): boolean {
  if (trigger.kind !== "mail") return false;
  const { from, subject = "" } = trigger;
  const isFrom = from === undefined || (from.startsWith("@") ? mail.from.endsWith(from) : mail.from === from);
  return isFrom && mail.subject.toLowerCase().includes(subject.toLowerCase());
}

async function begin(deps: TaskDeps, task: StoredTask, mail: MailNews): Promise<void> {
  const nowMs = deps.world.nowMs();
  const run: RunRef = { task: task.id, dueAtMs: nowMs, cause: "mail", key: `mail:${mail.key}` };
  if (await eventByKey(deps.database, runEventKey(run))) return;
  const isBusy = task.definition.overlap === "skip" && (await openRuns(deps.database, task.id)).length > 0;
  if (isBusy || (await countBegunSince(deps.database, task.id, nowMs - hourMs)) >= mostInAnHour)
    return void (await skipRun(deps, run));
  try {
    await beginRun(deps, task, run, { data: dataOf(mail), labels: [`mail:${mail.from || "unknown"}`] });
  } catch (cause) {
    const isRefused = cause instanceof CallRefused && cause.code === "conflict";
    if (!isRefused && !(cause instanceof NoRoom)) throw cause;
    // ended or paused in this moment: then nobody waits for it any more
    if ((await findTask(deps.database, task.id))?.state === "active") await skipRun(deps, run);
  }
}

function dataOf({ from, fromName, subject, text }: MailNews): string {
  const about = "A mail has come. Who it says it is from is not proven.";
  return fenced(about, `From: ${fromName} <${from}>\nSubject: ${subject}\n\n${text}`);
}
