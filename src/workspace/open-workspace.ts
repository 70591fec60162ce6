// Comes in: the path of the agent's folder. Goes out: the folder, seeded on the first run, and its files for each turn.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, Failure, reasonOf } from "../contract/failure.ts";
import { conventionNames, type LoadedFiles, openConventionFiles } from "./convention-files.ts";

export type Workspace = {
  path: string;
  /** The convention files as they are now; unchanged ones are not read again. */
  loadConventionFiles(): Promise<LoadedFiles>;
};

const folders = ["skills", "memory", "agents"] as const;

export async function openWorkspace(deps: { path: string }): Promise<Workspace> {
  const { path } = deps;
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    for (const name of folders) await unlessThere(mkdir(join(path, name), { mode: 0o700 }));
    for (const name of conventionNames) await seedFile(join(path, name), name);
  } catch (cause) {
    throw new Failure(
      `The workspace ${path} cannot be used: ${reasonOf(cause)}. Mend the folder, or set workspace.path in config.json to another.`,
      { cause },
    );
  }
  return { path, loadConventionFiles: openConventionFiles(path) };
}

/** From a template, unless something is there already. */
export async function seedFile(path: string, templateName: string): Promise<void> {
  const template = await readFile(new URL(`./templates/${templateName}`, import.meta.url));
  // an exclusive create fails on anything in that place, also on a link that leads nowhere
  await unlessThere(writeFile(path, template, { flag: "wx", mode: 0o600 }));
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (cause) {
    // what the owner has put there stays as it is
    if (codeOf(cause) !== "EEXIST") throw cause;
  }
}
