import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Where stand-ins lie between commands. A mount lies on the file itself and moves with it: a sandbox that waits for its
 * command finds its mounts in place again when the stand-ins have come back into the workspace.
 */
export type StandInStore = {
  /** Moves a stand-in out of the workspace; false: it could not be kept, and its mounts will not outlive it. */
  keep(workspace: string, name: string): boolean;
  /** Moves it back to where nothing lies; false: there is none. */
  bring(workspace: string, name: string): boolean;
  keepsFor(workspace: string): boolean;
  /** Where all of them come to lie. */
  folder: string;
};

type Place = { folder: string; names: Set<string> };

const folderName = /^(\d+)-/;

/** The folder must lie where no command can reach it. */
export function openStandInStore(parent: string): StandInStore {
  const places = new Map<string, Place | undefined>();
  // each process has its own; its name is known before it is there, so that whoever clears it away can be told
  const folder = join(parent, `${process.pid}-${randomBytes(6).toString("hex")}`);
  return { keep, bring, keepsFor: (workspace) => placeFor(workspace) !== undefined, folder };

  function keep(workspace: string, name: string): boolean {
    const place = placeFor(workspace);
    if (place === undefined) return false;
    try {
      renameSync(`${workspace}/${name}`, `${place.folder}/${plainName(name)}`);
      place.names.add(name);
      return true;
    } catch {
      // another disk, or a folder that somebody cleared away: from here on stand-ins are made anew each time
      places.set(workspace, undefined);
      return false;
    }
  }

  function bring(workspace: string, name: string): boolean {
    const place = places.get(workspace);
    if (!place?.names.delete(name)) return false;
    try {
      renameSync(`${place.folder}/${plainName(name)}`, `${workspace}/${name}`);
      return true;
    } catch {
      // what lies in the way is found by whoever now makes a new one
      return false;
    }
  }

  function placeFor(workspace: string): Place | undefined {
    if (!places.has(workspace)) places.set(workspace, makePlace(workspace));
    return places.get(workspace);
  }

  function makePlace(workspace: string): Place | undefined {
    try {
      if (!existsSync(folder)) makeOwnFolder(folder);
      if (statSync(folder).dev !== statSync(workspace).dev) return undefined;
      return { folder: mkdtempSync(join(folder, "w-")), names: new Set() };
    } catch {
      // a home that cannot be written to: stand-ins are made anew each time
      return undefined;
    }
  }
}

/** Those of processes that are gone are nobody's. */
function makeOwnFolder(own: string): void {
  const parent = dirname(own);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const maker = folderName.exec(name)?.[1];
    if (maker && !existsSync(`/proc/${maker}`)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function plainName(name: string): string {
  return name.replaceAll("/", "%");
}
