import { z } from "zod";
import { defineMethods, Empty } from "./define-methods.ts";

const Skill = z.object({
  name: z.string(),
  description: z.string(),
  source: z.enum(["workspace", "claude", "bundled"]),
  file: z.string(),
  /** There is a bundled one of the same name, which it replaces. */
  replacesBundled: z.boolean(),
});
const Problem = z.object({
  /** error: the skill is left out. */
  severity: z.enum(["error", "warning"]),
  file: z.string(),
  line: z.number().optional(),
  message: z.string(),
  next: z.string(),
});

export const skillMethods = defineMethods({
  "skills.list": {
    scopes: ["read"],
    params: Empty,
    result: z.object({ skills: z.array(Skill), problems: z.array(Problem) }),
  },
});
