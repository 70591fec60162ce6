import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../paths/refusal.ts";
import { fileId } from "./file-id.ts";

/**
 * What of a workspace is the owner's, on disk while commands run there. If Steward is killed meanwhile, the next one knows
 * by it what came with a command.
 */
export type OwnedRecord = {
  /** What a Steward noted that ended before it had looked through what its commands made. */
  left(): ReadonlySet<string> | undefined;
  /** Commands run from now on. */
  use(owned: ReadonlySet<string>): void;
  /** None runs, and all that they made has been looked through. */
  putAway(): void;
};

type Noted = { workspace: string; owned: readonly string[] };

/** Where nothing has changed it is only renamed, since every command comes this way. */
export function openOwnedRecord(folder: string, workspace: string): OwnedRecord {
  const name = createHash("sha256").update(workspace).digest("hex").slice(0, 32);
  const inUse = join(folder, `${name}.json`);
  const resting = join(folder, `${name}.resting`);
  let written: string | undefined;
  return { left, use, putAway };

  function left(): ReadonlySet<string> | undefined {
    const noted = readJson(inUse);
    if (!isNoted(noted)) return undefined;
    const now = idOf(workspace);
    const [disk = ""] = now.split(":");
    const [diskThen = ""] = noted.workspace.split(":");
    // a disk may have another number after the machine was started anew
    const owned = noted.owned.map((one) => (one.startsWith(`${diskThen}:`) ? disk + one.slice(diskThen.length) : one));
    // of a copy of the workspace nothing is known
    return now === disk + noted.workspace.slice(diskThen.length) ? new Set(owned) : undefined;
  }

  function use(owned: ReadonlySet<string>): void {
    const text = JSON.stringify({ workspace: idOf(workspace), owned: [...owned] } satisfies Noted);
    if (text === written && tryRename(resting, inUse)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // under the other name first, so that half of it is never read
    writeFileSync(resting, text, { mode: 0o600 });
    renameSync(resting, inUse);
    written = text;
  }

  function putAway(): void {
    try {
      renameSync(inUse, resting);
    } catch {
      // somebody has cleared it away, or it stays: then the next Steward looks through once more than it must
      written = undefined;
    }
  }
}

function idOf(workspace: string): string {
  return fileId(lstatSync(workspace));
}

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** By hand: the sandbox's sources are also run alone, without packages. */
function isNoted(raw: unknown): raw is Noted {
  const noted = raw as Partial<Noted> | null | undefined;
  return (
    typeof noted?.workspace === "string" &&
    Array.isArray(noted.owned) &&
    noted.owned.every((one) => typeof one === "string")
  );
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // the machine may have lost power before it was on the disk
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
