// The browser's own folder: thrown away with the browser, and found again after a kill by a note in the data folder.
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { UserIds } from "../../programs/workspace-owner.ts";
import { findProcesses } from "./browser-processes.ts";

export type BrowserFolder = { profile: string; downloads: string; remove(): Promise<void> };

export type FolderDeps = {
  /** Ours between starts. */
  folder: string;
  /** Where a user without rights can be given a folder. */
  temporaryFolder: string;
};

const dyingMs = 3_000;
const pollMs = 50;
const prefix = "steward-browser-";

export async function makeBrowserFolder(deps: FolderDeps, owner: UserIds | undefined): Promise<BrowserFolder> {
  const path = await mkdtemp(join(deps.temporaryFolder, prefix));
  const note = join(deps.folder, "running", basename(path));
  await mkdir(join(deps.folder, "running"), { recursive: true, mode: 0o700 });
  await writeFile(note, path, { mode: 0o600 });
  // the outer folder stays ours: the browser's user can pass through it, but swap nothing in it for a link
  if (owner) await chmod(path, 0o711);
  const inner = { profile: join(path, "profile"), downloads: join(path, "downloads") };
  for (const folder of Object.values(inner)) {
    await mkdir(folder, { mode: 0o700 });
    if (owner) await chown(folder, owner.uid, owner.gid);
  }
  return { ...inner, remove };

  async function remove(): Promise<void> {
    await removeTree(path);
    await unlink(note);
  }
}

/** Ends what a killed Steward left running and deletes its folders; answers how many there were. */
export async function removeBrowserLeftovers(deps: FolderDeps): Promise<number> {
  const notes = join(deps.folder, "running");
  await mkdir(notes, { recursive: true, mode: 0o700 });
  let removed = 0;
  for (const name of await readdir(notes)) {
    const path = await readFile(join(notes, name), "utf8");
    // only ever a folder that a note of ours can have named
    if (name.startsWith(prefix) && isAbsolute(path) && basename(path) === name) {
      await endProcesses(join(path, "profile"));
      await removeTree(path);
      removed++;
    }
    await unlink(join(notes, name));
  }
  return removed;
}

// a process takes a moment to die; one that does not is left to the system
async function endProcesses(profile: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < dyingMs; waitedMs += pollMs) {
    const processes = await findProcesses(profile);
    if (processes.length === 0) return;
    for (const { pid } of processes) killQuietly(pid);
    await sleep(pollMs);
  }
}

// a browser that is just ending still writes for a moment
async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it ended by itself between being found and being told
  }
}
