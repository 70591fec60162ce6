// Text files for rooms without file tools: under the locks of those tools, beneath the same folders, kept for the same undo.
import type { Stats } from "node:fs";
import type { FileChange } from "../../contract/file-change.ts";
import type { TextChange, TextFiles } from "../../contract/text-files.ts";
import type { Reach } from "../../contract/tool.ts";
import { quoteName } from "../paths/escape-text.ts";
import { folderMade, sha256 } from "../paths/file-change.ts";
import { lockKey } from "../paths/path-locks.ts";
import type { Refusal } from "../paths/refusal.ts";
import { type Changed, maxFileBytes, refusalForWriting, replaceFile, statIfThere } from "../paths/replace-file.ts";
import { type HeldName, readWhole, readWorkspaceFile, withFile, withNameAt } from "../paths/workspace-files.ts";
import { findPlace } from "../paths/workspace-path.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { keepOrRefusal } from "../undo/keep-earlier.ts";
import { decodeTextFile, encodeTextFile, type TextFile, usualEnding } from "./text/text-file.ts";

const mostAttempts = 3;
const newFileMode = 0o644;

export function openTextFiles(deps: FileChanges): TextFiles {
  return {
    async read(reach, path) {
      const now = await readWorkspaceFile(reach, path, maxFileBytes);
      return "refused" in now || !now.bytes ? undefined : decodeTextFile(now.bytes)?.text;
    },
    change: (at, path, change) => changeText(deps, at, path, change),
  };
}

type Change = (before: string) => string;

async function changeText(
  deps: FileChanges,
  at: Reach & { signal: AbortSignal },
  path: string,
  change: Change,
): Promise<TextChange> {
  const problem = `${quoteName(path)} was not changed`;
  const kept = deps.whyKeep(path);
  if (kept) return refused({ refused: `${problem}: ${kept}` });
  const place = await findPlace(at, path, "write");
  if ("refused" in place) return refused(place);
  const folders: FileChange[] = [];
  const made = (folder: string) => void folders.push(folderMade(folder));
  const done = await deps.locks.hold(lockKey(place), () =>
    withNameAt(place, problem, (held) => changeKeeping(deps, held, change, at.signal), { made }),
  );
  if ("refused" in done) return refused(done);
  return done.change ? { kind: "changed", changes: [...folders, done.change] } : { kind: "as it was" };
}

function refused({ refused: why }: Refusal): TextChange {
  return { kind: "refused", why };
}

type Done = { change: FileChange | undefined };

/** What is kept is what is replaced: if something else changes the file in between, it is read and changed anew. */
async function changeKeeping(
  deps: FileChanges,
  held: HeldName,
  change: Change,
  signal: AbortSignal,
): Promise<Done | Refusal> {
  for (let attempt = 1; ; attempt++) {
    const done = await changeNow(deps, held, change, signal);
    if (!("changed" in done)) return done;
    if (attempt >= mostAttempts) return { refused: done.changed };
  }
}

async function changeNow(
  { checkpoints }: FileChanges,
  held: HeldName,
  change: Change,
  signal: AbortSignal,
): Promise<Done | Changed | Refusal> {
  const now = await readNow(held);
  if ("refused" in now) return now;
  const text = change(now.file.text);
  if (text === now.file.text) return { change: undefined };
  const content = encodeTextFile(withText(now.file, text));
  if (content.length > maxFileBytes) return { refused: `${held.shown} would grow above ${maxFileBytes} bytes.` };
  const { bytes, stats } = now;
  const before = bytes ? await keepOrRefusal(held, () => checkpoints.keep(bytes)) : null;
  if (before !== null && typeof before !== "string") return before;
  const replaced = await replaceFile(held, { content, expected: stats ?? "nothing", signal });
  if (!("written" in replaced)) return replaced;
  const mode = stats ? stats.mode & 0o777 : newFileMode;
  return { change: { path: held.path, kind: "file", before, after: sha256(content), mode } };
}

const nothing: TextFile = { text: "", endings: [], hasByteOrderMark: false };

type Now = { file: TextFile; bytes: Buffer | undefined; stats: Stats | undefined };

async function readNow(held: HeldName): Promise<Now | Refusal> {
  const seen = await statIfThere(held);
  if (!seen) return { file: nothing, bytes: undefined, stats: undefined };
  const refusal = refusalForWriting(seen, held.shown);
  if (refusal) return refusal;
  return withFile(held, async ({ handle, stats }): Promise<Now | Refusal> => {
    const bytes = await readWhole(handle, maxFileBytes);
    if (!bytes) return { refused: `${held.shown} is larger than the ${maxFileBytes} bytes that can be changed.` };
    const file = decodeTextFile(bytes);
    if (!file) return { refused: `${held.shown} is not UTF-8 text, so a change would damage it.` };
    return { file, bytes, stats };
  });
}

/** Lines that stay at the beginning keep their ends, the others get the usual one. */
function withText({ text: before, endings, hasByteOrderMark }: TextFile, text: string): TextFile {
  const usual = usualEnding(endings);
  const [old, fresh] = [before.split("\n"), text.split("\n")];
  let same = 0;
  while (same < endings.length && old[same] === fresh[same]) same++;
  const kept = fresh.slice(1).map((_, at) => (at < same ? (endings[at] ?? usual) : usual));
  return { text, endings: kept, hasByteOrderMark };
}
