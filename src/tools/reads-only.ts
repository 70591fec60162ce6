import { textResult } from "../contract/tool.ts";

/** What a tool says of itself that answers with text and changes nothing. */
export const readsOnly = {
  result: textResult,
  effects: ["reads"],
  class: "read",
  undo: { kind: "nothing to undo" },
} as const;
