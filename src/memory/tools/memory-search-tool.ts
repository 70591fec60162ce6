import { z } from "zod";
import { writeFinds } from "../../contract/memory/found-words.ts";
import { MemoryFind } from "../../contract/memory/memory-place.ts";
import { defineTool, type Tool } from "../../contract/tool.ts";
import type { Memory } from "../memory.ts";
import { filesOfFinds, labelsOfFinds } from "./find-words.ts";

// what is less is shown as 0.00, and has nothing to do with the question
const leastScore = 0.005;

export function memorySearchTool({ memory }: { memory: Memory }): Tool {
  return defineTool({
    name: "memory_search",
    description: "Look in notes and past conversations.",
    arguments: z.object({
      query: z.string().trim().min(1).max(2_000),
      maxResults: z.number().int().min(1).max(50).optional(),
    }),
    result: z.array(MemoryFind),
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: ({ query }) => `Look in the memory for ${query}`,
    async run({ group, signal }, { query, maxResults: limit }) {
      const found = await memory.search({ group: group?.name }, query, { limit, signal });
      const finds = found.finds.filter(({ score }) => score >= leastScore);
      return {
        outcome: "done",
        output: writeFinds(finds, found.note),
        value: [...finds],
        labels: labelsOfFinds(finds),
        read: filesOfFinds(finds),
      };
    },
  });
}
