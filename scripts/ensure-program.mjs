// The program is put together from its sources on the machine that runs it: once, and again when a source has changed. A start
// then reads tens of files instead of hundreds, strips no types, and does not keep what every source said in memory.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { runBuild } from "./run-build.mjs";
import { stampOf } from "./source-stamp.mjs";

// one that runs reads parts of itself when they are needed, so that those before stay
const mostBuilds = 5;

/** The file to run: of the program put together, or of the sources themselves when that fails. */
export async function ensureProgram(root) {
  const stamp = stampOf(root, ["src", "scripts"], (path) => !path.endsWith(".test.ts"));
  const folder = join(root, "dist", stamp.slice(0, 16));
  const program = join(folder, "main.js");
  if (existsSync(program)) return program;
  const failure = await build(root, folder);
  // somebody else may have built it meanwhile
  if (!failure || existsSync(program)) return program;
  console.error(`Steward starts slower and needs more memory than usual, because it could not be built: ${failure}`);
  return join(root, "src", "main.ts");
}

/** Resolves with what went wrong, or with nothing. */
async function build(root, folder) {
  const unfinished = `${folder}.new-${process.pid}`;
  try {
    mkdirSync(join(root, "dist"), { recursive: true });
    const failure = await runBuild(root, ["scripts/build-program.mjs", unfinished]);
    if (failure) return failure;
    renameSync(unfinished, folder);
    removeOldBuilds(join(root, "dist"));
    return undefined;
  } catch (cause) {
    return cause.message;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function removeOldBuilds(dist) {
  const builds = readdirSync(dist).map((name) => join(dist, name));
  // another start may remove them at the same time
  const madeMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newestFirst = builds.sort((a, b) => madeMs(b) - madeMs(a));
  for (const path of newestFirst.slice(mostBuilds)) rmSync(path, { recursive: true, force: true });
}
