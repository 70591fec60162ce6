// What the tools of tasks declare of themselves.
import { textResult } from "../../contract/tool.ts";

const always = { result: textResult, undo: { kind: "impossible", reason: "cancel_task takes it back" } } as const;

export const looking = { ...always, effects: ["reads"], class: "read" } as const;
export const planning = { ...always, effects: ["plans"], class: "idempotent" } as const;
