// Deletions that the log has noted come in; afterwards no file of ours holds a word of those conversations and messages.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { installationKey } from "../../contract/event.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { Offered } from "../../contract/room/open-rooms.ts";
import type { World } from "../../contract/world.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Store } from "../../store/open-store.ts";
import { endForgetting, type Forgetting, hashesIn, listForgetting } from "../../store/tables/forgetting.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import { ifThere } from "../paths/refusal.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { blankAudit } from "./blank-audit.ts";

export type ForgetDeps = {
  home: string;
  world: World;
  store: Store;
  offered: Pick<Offered, "forget" | "catchUp">;
  outputs: Pick<OutputStore, "forget" | "forgetOne">;
  fileChanges: FileChanges;
};

// so that a long log is looked through between other work
const eventsAtOnce = 500;
const unsentMs = 30 * 86_400_000;

/** What fails keeps nothing else from being done, and is thrown at the end: its deletions stay noted, to be tried again. */
export async function forgetDeleted(deps: ForgetDeps): Promise<void> {
  const { database } = deps.store;
  const deletions = await listForgetting(database);
  if (deletions.length === 0) return;
  const causes: unknown[] = [];
  const done: Forgetting[] = [];
  for (const deletion of deletions) {
    const failed = await failuresOf(keptFor(deps, deletion));
    if (failed.length === 0) done.push(deletion);
    causes.push(...failed);
  }
  const failedForAll = await failuresOf([
    () => removeFiles(deps, deletions),
    () => vouchForAudit(deps.store, deletions),
    () => emptyWriteAheadLog(database),
  ]);
  // only now: whoever starts again finds everything that is still to be done
  if (failedForAll.length === 0) for (const deletion of done) await endForgetting(database, deletion);
  causes.push(...failedForAll);
  if (causes.length > 0) throw new AggregateError(causes, causes.map(reasonOf).join(" "));
}

async function failuresOf(steps: readonly (() => Promise<void>)[]): Promise<readonly unknown[]> {
  const causes: unknown[] = [];
  for (const step of steps) await step().catch((cause) => causes.push(cause));
  return causes;
}

function keptFor(
  { store, outputs, offered }: ForgetDeps,
  { key, throughSeq, seqs, outputs: handles = [] }: Forgetting,
) {
  // what rooms keep for a conversation as a whole stays with what is left of it
  if (seqs) return [...handles.map((handle) => () => outputs.forgetOne(key, handle)), offered.catchUp];
  const throughMs = async () => (await store.log.at([throughSeq]))[0]?.atMs ?? 0;
  return [async () => outputs.forget(key, await throughMs()), async () => offered.forget(key, await throughMs())];
}

async function removeFiles(
  { home, world, store, fileChanges }: ForgetDeps,
  deletions: readonly Forgetting[],
): Promise<void> {
  const attachments = join(home, "data", "attachments");
  await removeUnused(store.log, [
    ...deletions
      .flatMap((deletion) => deletion.names)
      .flatMap((name) => [join(attachments, name), fileChanges.checkpoints.pathOf(name)]),
    ...(await oldFilesIn(attachments, world.nowMs() - unsentMs)),
  ]);
}

async function vouchForAudit(store: Store, deletions: readonly Forgetting[]): Promise<void> {
  await store.flush();
  for (const { key, throughSeq, seqs, lines, digest } of await store.holdAudit((folder) =>
    blankAudit(folder, deletions),
  )) {
    const forgotten = {
      type: "conversation.forgotten",
      conversation: installationKey,
      key,
      throughSeq,
      seqs: seqs && [...seqs],
      lines,
      digest,
    } as const;
    await store.log.append([forgotten], { idempotencyKey: `forgotten ${throughSeq}` });
  }
}

async function emptyWriteAheadLog(database: Store["database"]): Promise<void> {
  if (!(await database.emptyWriteAheadLog()))
    throw new Error("Another program is reading the database, so its write-ahead log could not be emptied.");
}

/** What earlier deletions have left, and what was uploaded and never sent. */
async function oldFilesIn(folder: string, beforeMs: number): Promise<readonly string[]> {
  const paths = ((await ifThere(readdir(folder))) ?? []).map((name) => join(folder, name));
  const times = await Promise.all(paths.map((path) => ifThere(stat(path))));
  return paths.filter((_, at) => (times[at]?.mtimeMs ?? beforeMs) < beforeMs);
}

/** Files are kept once, by their hash, so what somebody else still speaks of stays. */
async function removeUnused(log: EventLog, paths: readonly string[]): Promise<void> {
  const there = new Map<string, { path: string; before: string }[]>();
  for (const path of new Set(paths)) {
    const before = await versionOf(path);
    if (before === undefined) continue;
    const name = path.slice(-64);
    there.set(name, [...(there.get(name) ?? []), { path, before }]);
  }
  for (let seq = 0; there.size > 0; ) {
    const events = await log.since(seq, eventsAtOnce);
    for (const event of events) for (const name of hashesIn(JSON.stringify(event))) there.delete(name);
    const last = events.at(-1);
    if (!last) break;
    seq = last.seq;
    await setImmediate();
  }
  for (const { path, before } of [...there.values()].flat()) {
    // written anew meanwhile: somebody is about to speak of it
    if ((await versionOf(path)) === before) await rm(path, { force: true });
  }
}

async function versionOf(path: string): Promise<string | undefined> {
  const stats = await ifThere(stat(path, { bigint: true }));
  return stats && `${stats.ino} ${stats.ctimeNs}`;
}
