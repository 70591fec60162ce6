import { z } from "zod";

export const LookArguments = z.object({
  action: z.enum(["open", "read", "scroll", "wait", "screenshot", "back", "tabs", "switch", "close"]),
  url: z.string().optional().describe("To open"),
  ref: z.string().optional().describe("Read on from, scroll to"),
  text: z.string().optional().describe("Wait for"),
  tab: z.number().optional(),
  full: z.boolean().optional(),
});
export type LookArguments = z.infer<typeof LookArguments>;
