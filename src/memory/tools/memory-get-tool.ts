import { z } from "zod";
import { MemoryFind, type MemoryPlace } from "../../contract/memory/memory-place.ts";
import { defineTool, type Tool } from "../../contract/tool.ts";
import type { Memory } from "../memory.ts";
import { filesOfFinds, findWords, labelsOfFinds } from "./find-words.ts";

const Place = z.object({
  path: z.string().min(1).max(4_000).optional(),
  startLine: z.number().int().min(1).max(1e9).optional(),
  endLine: z.number().int().min(1).max(1e9).optional(),
  session: z.string().min(1).max(300).optional(),
  seq: z.number().int().min(1).max(1e15).optional(),
});
type Place = z.infer<typeof Place>;

const linesAround = 5;
const linesAtOnce = 200;
// every conversation counts on in the same numbers, so that those of one lie apart
const numbersAround = 30;

export function memoryGetTool({ memory }: { memory: Memory }): Tool {
  return defineTool({
    name: "memory_get",
    description: "Read around a find: path and lines, or session and seq.",
    arguments: Place,
    result: z.array(MemoryFind),
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: (args) => `Read ${askedFor(args)} in the memory`,
    async run({ group }, args) {
      const places = placesOf(args);
      if (places.length === 0)
        return {
          outcome: "failed",
          output: "Give either path and lines, or session and seq, as memory_search shows them.",
        };
      // with what stands around it, or at least itself
      const found = await memory.read({ group: group?.name }, places);
      const find = found.find((each) => each !== undefined);
      if (!find)
        return { outcome: "failed", output: `There is nothing at ${askedFor(args)} that memory_search could find.` };
      const labels = labelsOfFinds([find]);
      return { outcome: "done", output: findWords(find), value: [find], labels, read: filesOfFinds([find]) };
    },
  });
}

function askedFor({ path, startLine, session, seq }: Place): string {
  if (path !== undefined) return `${path}${startLine === undefined ? "" : `:${startLine}`}`;
  return `${session ?? "?"} #${seq ?? "?"}`;
}

function placesOf({ path, startLine, endLine = startLine, session, seq }: Place): readonly MemoryPlace[] {
  const plain = { score: 1, why: [] };
  if (path !== undefined && startLine !== undefined && endLine !== undefined) {
    const last = Math.min(Math.max(startLine, endLine), startLine + linesAtOnce);
    const around = { startLine: Math.max(1, startLine - linesAround), endLine: last + linesAround };
    return [
      { path, ...around, ...plain },
      { path, startLine, endLine: last, ...plain },
    ];
  }
  if (path !== undefined) return [{ path, startLine: 1, endLine: linesAtOnce, ...plain }];
  if (session === undefined || seq === undefined) return [];
  const around = { fromSeq: Math.max(1, seq - numbersAround), toSeq: seq + numbersAround };
  return [
    { sessionKey: session, ...around, ...plain },
    { sessionKey: session, fromSeq: seq, toSeq: seq, ...plain },
  ];
}
