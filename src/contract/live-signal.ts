import type { ToolCall } from "./model.ts";

type Place = { conversation: string; turn: string };

/** What clients show while it happens and nobody keeps: the finished text is in the log. */
export type LiveSignal = Place &
  (
    | { type: "live.text"; step: number; delta: string }
    | { type: "live.reasoning"; step: number; delta: string }
    | { type: "live.text_reset"; step: number }
    | { type: "live.tool_call"; step: number; call: ToolCall }
    | { type: "live.retry"; attempt: number; delayMs: number; reason: string; model: string }
    | { type: "live.tool_progress"; callId: string; tool: string; text: string }
  );
