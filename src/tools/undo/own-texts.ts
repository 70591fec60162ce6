// Texts that the owner edits without a call of the agent, by the same rules: one lock a path, no link on the way, whole or not at all.
import type { Stats } from "node:fs";
import type { Reach } from "../../contract/tool.ts";
import { quoteName } from "../paths/escape-text.ts";
import { sha256 } from "../paths/file-change.ts";
import type { MissingFolders } from "../paths/held-folder.ts";
import { lockKey, type PathLocks } from "../paths/path-locks.ts";
import type { Refusal } from "../paths/refusal.ts";
import { type Changed, maxFileBytes, refusalForWriting, replaceFile, statIfThere } from "../paths/replace-file.ts";
import { type HeldName, readWhole, withFile, withNameAt } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import type { Checkpoints } from "./checkpoint-files.ts";
import { keepOrRefusal } from "./keep-earlier.ts";

/** `version`: its hash. */
export type OwnText = { bytes: Buffer; version: string };

export type OwnTextChange = {
  content: Uint8Array;
  /** The version that was edited; null: nothing stood there. */
  expected: string | null;
  /** Both texts are kept, so that the change can be taken back. */
  keeps: boolean;
};

export type OwnTexts = {
  read(folder: string, path: string): Promise<OwnText | Refusal>;
  /** `changed`: another version stands there by now, and nothing was written. */
  replace(folder: string, path: string, change: OwnTextChange): Promise<{ version: string } | Changed | Refusal>;
};

export type OwnTextsDeps = {
  locks: PathLocks;
  checkpoints: Pick<Checkpoints, "keep">;
  whyKeep(path: string): string | undefined;
};

export function openOwnTexts(deps: OwnTextsDeps): OwnTexts {
  return {
    read: (workspace, path) =>
      atPlace({ workspace }, path, "refuse", `${quoteName(path)} cannot be read`, (held) => readText(held)),
    async replace(workspace, path, change) {
      const problem = `${quoteName(path)} was not written`;
      const kept = deps.whyKeep(path);
      if (kept) return { refused: `${problem}: ${kept}` };
      const missing = change.expected === null ? { made() {} } : "refuse";
      return atPlace({ workspace }, path, missing, problem, (held) => replaceText(deps, held, change), deps.locks);
    },
  };
}

async function atPlace<Result>(
  reach: Reach,
  path: string,
  missing: MissingFolders,
  problem: string,
  use: (held: HeldName) => Promise<Result>,
  locks?: PathLocks,
): Promise<Result | Refusal> {
  const place = await findPlace(reach, path, "write");
  if ("refused" in place) return place;
  const work = () => withNameAt(place, problem, use, missing);
  return locks ? locks.hold(lockKey(place), work) : work();
}

async function readText(held: HeldName): Promise<(OwnText & { stats: Stats }) | Refusal> {
  return withFile(held, async ({ handle, stats }) => {
    const bytes = await readWhole(handle, maxFileBytes);
    if (bytes) return { bytes, stats, version: sha256(bytes) };
    return { refused: `${held.shown} has more than ${maxFileBytes / 1024 / 1024} MB, which is too large for a note.` };
  });
}

async function replaceText(
  { checkpoints }: OwnTextsDeps,
  held: HeldName,
  { content, expected, keeps }: OwnTextChange,
): Promise<{ version: string } | Changed | Refusal> {
  const seen = await statIfThere(held);
  const refusal = seen && refusalForWriting(seen, held.shown);
  if (refusal) return refusal;
  const now = seen && (await readText(held));
  if (now && "refused" in now) return now;
  if ((now?.version ?? null) !== expected)
    return { changed: `${held.shown} was not written: it was changed meanwhile. Look at it again first.` };
  for (const bytes of keeps ? [now?.bytes, content] : []) {
    const kept = bytes && (await keepOrRefusal(held, () => checkpoints.keep(bytes)));
    if (typeof kept === "object") return kept;
  }
  const { signal } = new AbortController();
  const replaced = await replaceFile(held, { content, expected: now?.stats ?? "nothing", signal });
  return "written" in replaced ? { version: sha256(content) } : replaced;
}
