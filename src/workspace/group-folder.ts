// The folder of a group: the only one its conversation, its memory and its commands can see.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, Failure, reasonOf } from "../contract/failure.ts";
import { type LoadedFiles, openConventionFiles } from "./convention-files.ts";
import { seedFile } from "./open-workspace.ts";

/** Which files shape the assistant there; the owner's own stay where they are. */
const seeded = ["AGENTS.md", "MEMORY.md"] as const;

export async function openGroupFolder({ path }: { path: string }): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 }).catch((cause) => {
      if (codeOf(cause) !== "EEXIST") throw cause;
    });
    for (const name of seeded) await seedFile(join(path, name), `groups/${name}`);
  } catch (cause) {
    throw new Failure(
      `The folder ${path} of the group cannot be used: ${reasonOf(cause)}. Mend it, or remove the group.`,
      {
        cause,
      },
    );
  }
}

/** What the owner lets every group know, which only they write. */
const globalMemory = "GLOBAL.md";

/** Looks at each group's files and at what all of them may know; unchanged ones are not read again. */
export function openGroupFiles(workspace: string): (folder: string) => Promise<LoadedFiles> {
  const loadGlobal = openConventionFiles(workspace, [globalMemory]);
  const folders = new Map<string, () => Promise<LoadedFiles>>();
  return async (folder) => {
    const load = folders.get(folder) ?? openConventionFiles(folder);
    folders.set(folder, load);
    const [all, own] = [await loadGlobal(), await load()];
    return { files: [...all.files, ...own.files], warnings: [...all.warnings, ...own.warnings] };
  };
}
