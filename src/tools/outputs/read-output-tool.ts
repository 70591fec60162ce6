import { z } from "zod";
import { defineTool, type Tool, type ToolContext } from "../../contract/tool.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { type Answer, resultOf } from "../paths/refusal.ts";
import { readsOnly } from "../reads-only.ts";
import type { OutputStore } from "./output-store.ts";

const usualCharacters = 20_000;
// below what any result may have, so that the part itself is not cut again
const mostCharacters = 50_000;

const ReadOutputArguments = z.object({
  handle: z.string(),
  offset: z.number().int().min(0).max(1e9).optional(),
  limit: z.number().int().min(1).max(mostCharacters).optional().describe(`Characters, usually ${usualCharacters}`),
});
type ReadOutputArguments = z.infer<typeof ReadOutputArguments>;

export function readOutputTool(outputs: OutputStore): Tool {
  return defineTool({
    name: "read_output",
    description: "Read more of an output that was cut.",
    arguments: ReadOutputArguments,
    ...readsOnly,
    formatApproval: (args) => `Read the output ${escapeName(args.handle)}`,
    run: async (context, args) => resultOf(await runReadOutput(outputs, context, args)),
  });
}

async function runReadOutput(outputs: OutputStore, context: ToolContext, args: ReadOutputArguments): Promise<Answer> {
  const offset = args.offset ?? 0;
  const part = await outputs.read(context.conversation, args.handle, { offset, limit: args.limit ?? usualCharacters });
  if (!part) return { refused: `There is no output ${quoteName(args.handle)}, or no longer. Run the tool again.` };
  const { text, totalCharacters, labels } = part;
  if (text === "") {
    return { refused: `${quoteName(args.handle)} has only ${totalCharacters} characters; there is none at ${offset}.` };
  }
  const end = part.offset + text.length;
  const more = end < totalCharacters ? `\n[${totalCharacters - end} more characters: go on with offset ${end}.]` : "";
  return { outcome: "done", output: `${text}${more}`, labels };
}
