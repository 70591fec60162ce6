import { z } from "zod";
import { defineTool, type Tool, type ToolResult } from "../../contract/tool.ts";
import { count } from "../../contract/words/amounts.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { type Answer, resultOf } from "../paths/refusal.ts";
import { type OpenFile, readWhole, withFile, withNameInWorkspace } from "../paths/workspace-files.ts";
import { readsOnly } from "../reads-only.ts";
import { type FileKind, fileKind, headBytes } from "./file-kind.ts";
import { readLines } from "./read-lines.ts";

const usualLines = 2000;
const maxImageBytes = 5 * 1024 * 1024;

const ReadArguments = z.object({
  path: z.string(),
  offset: z.number().int().min(1).max(1e9).optional().describe("First line"),
  limit: z.number().int().min(1).max(1e6).optional().describe(`Number of lines, usually ${usualLines}`),
});
type ReadArguments = z.infer<typeof ReadArguments>;

export function readTool(): Tool {
  return defineTool({
    name: "read",
    description: "Read a text file with line numbers, or look at an image.",
    arguments: ReadArguments,
    ...readsOnly,
    paths: (args) => [{ path: args.path, access: "read" }],
    formatApproval: (args) => `Read ${escapeName(args.path)}`,
    run: async (context, args) =>
      resultOf(
        await withNameInWorkspace(
          context,
          { path: args.path, access: "read" },
          `${quoteName(args.path)} cannot be read`,
          (held) => withFile(held, (file) => readFile(file, args, context.signal)),
        ),
      ),
  });
}

async function readFile(file: OpenFile, args: ReadArguments, signal: AbortSignal): Promise<Answer> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.handle.read(head, 0, headBytes, 0);
  const kind = fileKind(head.subarray(0, bytesRead));
  switch (kind.kind) {
    case "image":
      return showImage(file, kind);
    case "binary": {
      const advice = "Use a program that understands it.";
      return done(`${file.shown} is not text (${kind.label}, ${count(file.stats.size, "byte")}). ${advice}`);
    }
    case "text":
      return showLines(file, args, signal);
    default:
      return kind satisfies never;
  }
}

async function showImage(file: OpenFile, kind: FileKind & { kind: "image" }): Promise<ToolResult> {
  const data = await readWhole(file.handle, maxImageBytes);
  if (!data) {
    const limit = `only images up to ${maxImageBytes} bytes can be shown. Make a smaller copy.`;
    return done(`${file.shown} is a ${kind.label} of ${file.stats.size} bytes; ${limit}`);
  }
  return {
    outcome: "done",
    output: `${file.shown} is a ${kind.label} of ${data.length} bytes; it is attached.`,
    attachments: [{ mediaType: kind.mediaType, name: escapeName(file.name), data }],
  };
}

async function showLines(file: OpenFile, args: ReadArguments, signal: AbortSignal): Promise<Answer> {
  const firstLine = args.offset ?? 1;
  const read = await readLines(file.handle, { firstLine, maxLines: args.limit ?? usualLines }, signal);
  if (signal.aborted) return { refused: `${file.shown} was not read to the end: the call was stopped.` };
  if (read.linesSeen === 0 && read.nextLine === undefined) return done(`${file.shown} is empty (0 bytes).`);
  if (read.numbered.length === 0) {
    return { refused: `${file.shown} has only ${count(read.linesSeen, "line")}; there is no line ${firstLine}.` };
  }
  const notes: string[] = [];
  if (read.nextLine) notes.push(`[The file has more lines: go on with offset ${read.nextLine}.]`);
  if (read.hasUndecodableBytes) notes.push("[Some bytes are not UTF-8 and are shown as \ufffd.]");
  return done([...read.numbered, ...notes].join("\n"));
}

function done(output: string): ToolResult {
  return { outcome: "done", output };
}
