import { posix } from "node:path";
import { z } from "zod";
import type { Site } from "../../objections.ts";
import { isInside } from "../../paths/real-path.ts";
import { noteRun } from "./name-files.ts";
import { noteScript } from "./script-places.ts";

const Manifest = z.object({ scripts: z.record(z.string(), z.string()).catch({}) });

/** What `npm run name` runs: the scripts of package.json, before and after it too, and the files that they name. */
export function noteScripts(site: Site, name: string): void {
  const here = siteOfPackage(site);
  if (!here) return;
  const manifest = readManifest(here);
  // whatever takes its place later would be run, so nobody can have approved it
  if (!manifest) {
    site.noteUnnamed();
    return;
  }
  const seen = new Set<string>();
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const part of [`pre${next}`, next, `post${next}`]) {
      const words = wordsOf(manifest.scripts[part] ?? "");
      for (const word of words) noteWord(here, word);
      waiting.push(...words.filter((word) => Object.hasOwn(manifest.scripts, word)));
    }
  }
}

/** What `npx name` runs, and what decides where it lies. */
export function notePackageProgram(site: Site, name: string): void {
  const here = siteOfPackage(site) ?? site;
  noteRun(here, `node_modules/.bin/${name}`);
}

/** npm looks upwards for the package; its own settings there can name another shell. */
function siteOfPackage(site: Site): Site | undefined {
  const { files, workspace } = site.policy;
  for (let folder = site.folder; isInside(workspace, folder); folder = posix.dirname(folder)) {
    noteRun({ ...site, folder }, "package.json");
    if (files.lstat(`${folder}/package.json`) === undefined) continue;
    for (const name of [".npmrc", "package-lock.json"]) noteRun({ ...site, folder }, name);
    return { ...site, folder };
  }
  return undefined;
}

function readManifest({ folder, policy }: Site): z.infer<typeof Manifest> | undefined {
  try {
    const text = policy.files.read(`${folder}/package.json`) ?? "";
    return Manifest.parse(JSON.parse(Buffer.from(text, "latin1").toString("utf8")));
  } catch {
    // npm could not read it either; what the caller makes of that is the same as for none
    return undefined;
  }
}

function wordsOf(script: string): readonly string[] {
  return script.split(/[\s;|&<>(){}'"`$=,\\]+/).filter((word) => word !== "");
}

/** More than it uses, never fewer: a file of the package, a script of node's, a program of a dependency. */
function noteWord(site: Site, word: string): void {
  if (word.startsWith("-")) return;
  noteScript(site, word);
  if (/^[\w@.-]+$/.test(word)) noteRun(site, `node_modules/.bin/${word}`);
}
