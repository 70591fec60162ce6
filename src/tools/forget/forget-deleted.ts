// Deletions that the log has noted come in; afterwards no file of ours holds a word of those conversations.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { installationKey } from "../../contract/event.ts";
import type { Offered } from "../../contract/room/open-rooms.ts";
import type { World } from "../../contract/world.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Store } from "../../store/open-store.ts";
import { endForgetting, hashesIn, listForgetting } from "../../store/tables/forgetting.ts";
import type { OutputStore } from "../outputs/output-store.ts";
import { ifThere } from "../paths/refusal.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { blankAudit } from "./blank-audit.ts";

export type ForgetDeps = {
  home: string;
  world: World;
  store: Store;
  offered: Pick<Offered, "forget">;
  outputs: Pick<OutputStore, "forget">;
  fileChanges: FileChanges;
};

// so that a long log is looked through between other work
const eventsAtOnce = 500;
const unsentMs = 30 * 86_400_000;

export async function forgetDeleted({ home, world, store, offered, outputs, fileChanges }: ForgetDeps): Promise<void> {
  const { database, log } = store;
  const deletions = await listForgetting(database);
  if (deletions.length === 0) return;
  for (const { key, throughSeq } of deletions) {
    const [deleted] = await log.at([throughSeq]);
    const throughMs = deleted?.atMs ?? 0;
    await outputs.forget(key, throughMs);
    await offered.forget(key, throughMs);
  }
  const names = deletions.flatMap((deletion) => deletion.names);
  const attachments = join(home, "data", "attachments");
  await removeUnused(log, [
    ...names.flatMap((name) => [join(attachments, name), fileChanges.checkpoints.pathOf(name)]),
    ...(await oldFilesIn(attachments, world.nowMs() - unsentMs)),
  ]);
  await store.flush();
  // only now: whoever starts again finds everything that is still to be done
  for (const { key, throughSeq, lines, digest } of await store.holdAudit((folder) => blankAudit(folder, deletions))) {
    const forgotten = {
      type: "conversation.forgotten",
      conversation: installationKey,
      key,
      throughSeq,
      lines,
      digest,
    } as const;
    await log.append([forgotten], { idempotencyKey: `forgotten ${throughSeq}` });
  }
  for (const deletion of deletions) await endForgetting(database, deletion);
  await database.emptyWriteAheadLog();
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
