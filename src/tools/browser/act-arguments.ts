import { z } from "zod";

const Step = z.object({
  do: z.enum(["click", "type", "select", "press", "download"]),
  target: z.string().optional().describe('Like button "OK" [e7]'),
  text: z.string().optional().describe("Text, option, key"),
});
export type Step = z.infer<typeof Step>;

export const ActArguments = z.object({
  page: z.string(),
  steps: z.array(Step),
});
export type ActArguments = z.infer<typeof ActArguments>;
