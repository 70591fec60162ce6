import { z } from "zod";
import type { QuarantineField, ReadQuarantined } from "../../contract/ask-model.ts";
import { defineTool, type Tool, type ToolResult } from "../../contract/tool.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { resultOf } from "../paths/refusal.ts";
import { readWorkspaceFile } from "../paths/workspace-files.ts";
import { readsOnly } from "../reads-only.ts";

const maxBytes = 2 * 1024 * 1024;

/** Gets facts out of a file that others wrote without letting its words into the conversation. */
export function extractTool(deps: { read: ReadQuarantined }): Tool {
  return defineTool({
    name: "extract",
    description: "Get values out of an untrusted file without reading its words.",
    arguments: z.object({
      path: z.string(),
      fields: z.array(z.string()).min(1).max(20).describe("Each `name:number|date|boolean|A|B question`"),
    }),
    ...readsOnly,
    result: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])),
    paths: (args) => [{ path: args.path, access: "read" }],
    formatApproval: (args) => `Extract ${args.fields.join("; ")} from ${escapeName(args.path)}`,
    async run(context, { path, fields }): Promise<ToolResult> {
      const shown = quoteName(path);
      const asked = fields.map(readField);
      const wrong = fields.find((_, index) => asked[index] === undefined);
      if (wrong !== undefined) {
        return resultOf({ refused: `${quoteName(wrong)} is not a field. Write it like: total:number How much is it?` });
      }
      const text = await readWorkspaceFile(context, path, maxBytes);
      if ("refused" in text) return resultOf(text);
      if (!text.bytes)
        return resultOf({ refused: `${shown} is larger than the ${maxBytes} bytes that can be read here.` });
      const answer = await deps.read(
        text.bytes.toString("utf8"),
        asked.filter((field) => field !== undefined),
        { ...context, tool: "extract" },
      );
      if (!answer.ok) return { outcome: "failed", output: answer.reason };
      return {
        outcome: "done",
        output: JSON.stringify(answer.values, null, 1),
        value: answer.values,
        quarantined: true,
      };
    },
  });
}

const written = /^([A-Za-z][A-Za-z0-9_]{0,39}):(\S{1,400})\s+(\S[\s\S]{0,299})$/;

/** `total:number How much is it?`, `currency:EUR|USD Which one?` */
export function readField(text: string): QuarantineField | undefined {
  const [, name, kind, question] = written.exec(text.trim()) ?? [];
  if (name === undefined || kind === undefined || question === undefined) return undefined;
  if (kind === "number" || kind === "date" || kind === "boolean") return { name, kind, question };
  const [first, second, ...others] = kind.split("|").filter((choice) => choice !== "");
  if (first === undefined || second === undefined) return undefined;
  return { name, kind: "choice", choices: [first, second, ...others], question };
}
