// A call that was let in: the run it begins, or is noted as, is on disk before its sender is told so.
import type { IncomingHttpHeaders } from "node:http";
import { fenced } from "../../contract/channel/fenced-data.ts";
import { type RunRef, taskConversation } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { waitingMessages } from "../../store/tables/open-work.ts";
import { eventByKey } from "../../store/tables/task-queries.ts";
import { findTask, openRuns, type StoredTask } from "../../store/tasks/tasks.ts";
import { beginRun, NoRoom, runEventKey } from "../run/begin-run.ts";
import { skipRun } from "../run/skip-run.ts";
import type { TaskDeps } from "../task-deps.ts";

export type HookCall = { headers: IncomingHttpHeaders; body: Uint8Array };

/** full: nothing is written, so the same delivery may be taken later. */
export type Taken = { kind: "taken"; run: string } | { kind: "full" | "paused" | "ended" };

export async function takeCall(
  deps: TaskDeps,
  task: StoredTask,
  call: HookCall & { deliveryId: string | undefined },
): Promise<Taken> {
  const key = `hook:${call.deliveryId ?? deps.world.newId("call")}`;
  const run: RunRef = { task: task.id, dueAtMs: deps.world.nowMs(), cause: "webhook", key };
  const known = await eventByKey(deps.database, runEventKey(run));
  if (known) return { kind: "taken", run: known.type === "message.received" ? known.messageId : skippedRun(known.seq) };
  if (task.state === "paused") return { kind: "paused" };
  const isBusy = (await openRuns(deps.database, task.id)).length > 0;
  if (isBusy && task.definition.overlap === "skip") return { kind: "taken", run: await skip(deps, run) };
  const waiting = await waitingMessages(deps.database, taskConversation(task.id));
  if (waiting.length >= deps.settings.queue.maxWaiting) return { kind: "full" };
  return begin(deps, task, run, call);
}

async function begin(deps: TaskDeps, task: StoredTask, run: RunRef, { headers, body }: HookCall): Promise<Taken> {
  const { trigger, title } = task.definition;
  const name = trigger.kind === "webhook" ? trigger.name : title;
  const type = /^[\w.+/-]{1,80}/.exec(headers["content-type"] ?? "")?.[0];
  const about = `The webhook “${name}” was called${type ? ` with ${type}` : ""}.`;
  try {
    const brought = { data: fenced(about, body), labels: [`hook:${name}`] };
    return { kind: "taken", run: await beginRun(deps, task, run, brought) };
  } catch (cause) {
    // many came in the same moment
    if (cause instanceof NoRoom) return { kind: "full" };
    if (!(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
    const now = await findTask(deps.database, task.id);
    // another call was a moment faster
    if (now?.state === "active") return { kind: "taken", run: await skip(deps, run) };
    return { kind: now?.state === "paused" ? "paused" : "ended" };
  }
}

async function skip(deps: TaskDeps, run: RunRef): Promise<string> {
  return skippedRun(await skipRun(deps, run));
}

/** As the table of runs names it. */
function skippedRun(seq: number): string {
  return `skipped:${seq}`;
}
