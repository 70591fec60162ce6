// Undo as a person asks for it: one call's changes, the newest that still stand or those of a given event.

import type { EventOf } from "../../contract/event.ts";
import type { Reach } from "../../contract/tool.ts";
import type { Caller } from "../../contract/wire/caller.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { changeMethods } from "../../contract/wire/methods/changes.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { Queryable } from "../../store/database/database.ts";
import { changesOf } from "../../store/log/changed-files.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { FileChanges } from "./file-changes.ts";
import { undoChanges } from "./undo-changes.ts";

const lookBackEvents = 2_000;
const timeLimitMs = 60_000;

export type UndoMethodDeps = Pick<FileChanges, "locks" | "checkpoints"> & {
  log: EventLog;
  database: Queryable;
  /** The folders in which the conversation's work is done. */
  reachOf(conversation: string): Promise<Reach>;
};

export function serveUndo(deps: UndoMethodDeps): Served<typeof changeMethods> {
  return {
    "changes.undo": (caller, { sessionKey, returned }) => undoReturned(deps, caller, sessionKey, returned),
  };
}

async function undoReturned(
  deps: UndoMethodDeps,
  { sender: by }: Caller,
  conversation: string,
  returned?: number,
): Promise<{ undone: boolean; output: string }> {
  if (by.kind !== "owner") throw new CallRefused("forbidden", "Only the owner may take changes back.");
  const change = await findChange(deps.log, conversation, returned);
  if (!change)
    return {
      undone: false,
      output: returned
        ? "There is nothing to undo there, or it was taken back already."
        : "There is nothing to undo in this conversation.",
    };
  const { output } = await undoChanges(
    { ...deps, ...(await deps.reachOf(conversation)), signal: AbortSignal.timeout(timeLimitMs) },
    change.changes,
  );
  const files = await labelsBefore(deps, change);
  await deps.log.append([{ type: "changes.undone", conversation, returned: change.seq, by, output, files }]);
  return { undone: true, output };
}

/** A file that is as it was before holds the words of those again whose it held then. */
async function labelsBefore(
  { database }: UndoMethodDeps,
  { seq, files }: EventOf<"tool.returned">,
): Promise<EventOf<"changes.undone">["files"]> {
  const found: EventOf<"changes.undone">["files"] = [];
  for (const { path } of files)
    for await (const event of changesOf(database, [path])) {
      const earlier =
        event.type === "tool.returned" && event.seq < seq && event.files.find((file) => file.path === path);
      if (!earlier) continue;
      if (earlier.labels.length > 0) found.push({ path, labels: earlier.labels });
      break;
    }
  return found;
}

async function findChange(
  log: EventLog,
  conversation: string,
  returned: number | undefined,
): Promise<EventOf<"tool.returned"> | undefined> {
  const events =
    returned === undefined
      ? await log.latest(conversation, lookBackEvents)
      : await log.latest(conversation, Number.MAX_SAFE_INTEGER, undefined, returned - 1);
  const undone = new Set(events.flatMap((event) => (event.type === "changes.undone" ? [event.returned] : [])));
  return events.findLast(
    (event): event is EventOf<"tool.returned"> =>
      event.type === "tool.returned" &&
      event.changes.length > 0 &&
      !undone.has(event.seq) &&
      (returned === undefined || event.seq === returned),
  );
}
