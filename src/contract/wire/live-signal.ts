import { z } from "zod";
import { ToolCall } from "../model.ts";

const place = { conversation: z.string(), turn: z.string() };
const inStep = { ...place, step: z.number() };

/** What clients show while it happens and nobody keeps: the finished text is in the log. */
export const LiveSignal = z.discriminatedUnion("type", [
  z.object({ type: z.literal("live.text"), ...inStep, delta: z.string() }),
  z.object({ type: z.literal("live.reasoning"), ...inStep, delta: z.string() }),
  z.object({ type: z.literal("live.text_reset"), ...inStep }),
  z.object({ type: z.literal("live.tool_call"), ...inStep, call: ToolCall }),
  z.object({
    type: z.literal("live.retry"),
    ...place,
    attempt: z.number(),
    delayMs: z.number(),
    reason: z.string(),
    model: z.string(),
  }),
  z.object({ type: z.literal("live.tool_progress"), ...place, callId: z.string(), tool: z.string(), text: z.string() }),
]);
export type LiveSignal = z.infer<typeof LiveSignal>;
