import { z } from "zod";
import type { FileChange } from "../../contract/file-change.ts";
import { defineTool, type Reach, type Tool, type ToolContext } from "../../contract/tool.ts";
import { count } from "../../contract/words/amounts.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { folderMade, sha256 } from "../paths/file-change.ts";
import { lockKey } from "../paths/path-locks.ts";
import { type Answer, type Refusal, resultOf } from "../paths/refusal.ts";
import { maxFileBytes, replaceFile } from "../paths/replace-file.ts";
import { type HeldName, readWorkspaceFile, withNameAt } from "../paths/workspace-files.ts";
import { findPlace, pathOf } from "../paths/workspace-path.ts";
import type { Checkpoints } from "../undo/checkpoint-files.ts";
import type { FileChanges } from "../undo/file-changes.ts";
import { cannotBeUndone, type Earlier, keepEarlier, nothingEarlier } from "../undo/keep-earlier.ts";
import { changesFile, isLarge, previewChange, recoverContent } from "./changes-file.ts";
import { holdsMask, lostBehindMask } from "./text/masked-text.ts";
import { decodeTextFile } from "./text/text-file.ts";

const WriteArguments = z.object({
  path: z.string(),
  content: z.string(),
});
type WriteArguments = z.infer<typeof WriteArguments>;

const mostAttempts = 3;
const newFileMode = 0o644;

export function writeTool(deps: FileChanges): Tool {
  return defineTool({
    name: "write",
    description: "Create a file or replace all of it.",
    arguments: WriteArguments,
    ...changesFile,
    formatApproval: (args) => `Write ${escapeName(args.path)}, ${measure(args.content)}:\n${args.content}`,
    preview: (reach, args) => previewWrite(deps, reach, args),
    claim: (context, args) => claimWrite(deps, context, args),
    recover: recoverContent("Wrote", true),
    run: async (context, args) => resultOf(await runWrite(deps, context, args)),
  });
}

async function previewWrite(
  { redact }: FileChanges,
  reach: Reach,
  { path, content }: WriteArguments,
): Promise<string | undefined> {
  const now = await readWorkspaceFile(reach, path, maxFileBytes);
  // nothing is there yet, or nothing that could be replaced: the whole content says it all
  if ("refused" in now) return undefined;
  const text = now.bytes && decodeTextFile(now.bytes)?.text;
  const before = text === undefined || isLarge(text) || isLarge(content) ? undefined : redact(text);
  const sizes = { before: now.bytes?.length ?? 0, after: Buffer.byteLength(content) };
  return previewChange({ verb: "Replace", path, before, after: content, sizes });
}

async function runWrite(deps: FileChanges, context: ToolContext, args: WriteArguments): Promise<Answer> {
  const { path, content } = args;
  const shown = quoteName(path);
  const problem = `${shown} was not written`;
  const bytes = Buffer.from(content, "utf8");
  if (bytes.length > maxFileBytes) {
    const size = `the content has ${bytes.length} bytes, and at most ${maxFileBytes} are taken`;
    return { refused: `${problem}: ${size}. Write several files.` };
  }
  const kept = deps.whyKeep(path);
  if (kept) return { refused: `${problem}: ${kept}` };
  const masked = await refuseMasked(deps, context, args);
  if (masked) return { refused: `${problem}: ${masked}` };
  const place = await findPlace(context, path, "write");
  if ("refused" in place) return place;
  const folders: FileChange[] = [];
  const made = (folder: string) => void folders.push(folderMade(folder));
  const written = await deps.locks.hold(lockKey(place), () =>
    withNameAt(place, problem, (held) => writeKeeping(deps.checkpoints, held, bytes, context.signal), { made }),
  );
  if ("refused" in written) return written;
  const verb = written.stats ? "Replaced" : "Created";
  const earlier = written.stats ? ` (before: ${count(written.stats.size, "byte")})` : "";
  const change = changeOf(pathOf(place), written, bytes);
  const output = `${verb} ${shown}: ${measure(content)}${earlier}.${change.notKept ? cannotBeUndone : ""}`;
  return { outcome: "done", output, wrote: [{ path, replaced: true }], changes: [...folders, change] };
}

/** A model that copies what it has read into a new content would put masks where the owner's words are. */
async function refuseMasked(
  { redact }: FileChanges,
  reach: Reach,
  { path, content }: WriteArguments,
): Promise<string | undefined> {
  if (!holdsMask(content)) return undefined;
  const now = await readWorkspaceFile(reach, path, maxFileBytes);
  const text = "refused" in now || !now.bytes ? "" : now.bytes.toString("utf8");
  const mask = lostBehindMask(text, content, redact);
  if (mask === undefined) return undefined;
  return `the content holds ${mask}, which stands for words of this file that would be lost. Use edit, which keeps them.`;
}

/** What is kept is what is replaced: if something else changes the file in between, it is kept and replaced anew. */
async function writeKeeping(
  checkpoints: Checkpoints,
  held: HeldName,
  content: Buffer,
  signal: AbortSignal,
): Promise<Earlier | Refusal> {
  for (let attempt = 1; ; attempt++) {
    const earlier = await keepEarlier(checkpoints, held);
    if ("refused" in earlier) return earlier;
    const replaced = await replaceFile(held, { content, expected: earlier.stats ?? "nothing", signal });
    if ("written" in replaced) return earlier;
    if ("refused" in replaced) return replaced;
    if (attempt >= mostAttempts) return { refused: replaced.changed };
  }
}

function changeOf(path: string, { stats, sha256: before }: Earlier, content: Buffer): FileChange {
  const mode = stats ? stats.mode & 0o777 : newFileMode;
  const change: FileChange = { path, kind: "file", before, after: sha256(content), mode };
  return stats && before === null ? { ...change, notKept: true } : change;
}

async function claimWrite(deps: FileChanges, context: ToolContext, args: WriteArguments): Promise<unknown> {
  const place = await findPlace(context, args.path, "write");
  if ("refused" in place) return { path: args.path };
  const earlier = await withNameAt(place, "The write cannot be planned", (held) => keepEarlier(deps.checkpoints, held));
  // where no folder is, no file is either; whatever else is wrong is told when it runs
  const before = "refused" in earlier ? nothingEarlier : earlier;
  return changeOf(pathOf(place), before, Buffer.from(args.content, "utf8"));
}

function measure(content: string): string {
  const breaks = content.split("\n").length - 1;
  const lines = content === "" || content.endsWith("\n") ? breaks : breaks + 1;
  return `${count(Buffer.byteLength(content), "byte")}, ${count(lines, "line")}`;
}
