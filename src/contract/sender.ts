import { z } from "zod";

export const Sender = z.object({
  // system: Steward itself, when a time runs out
  kind: z.enum(["owner", "group", "stranger", "system"]),
  id: z.string(),
  name: z.string().optional(),
});
export type Sender = z.infer<typeof Sender>;
