import { z } from "zod";
import { ConversationKey } from "../../../contract/conversation-key.ts";
import { ModelName } from "../../../contract/model.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import { choices, EventTrigger, group, when } from "../../../contract/wire/methods/tasks.ts";

const { agent: _, model: __, ...ofPlannedOnes } = choices;

/** What makes a task a planned one, and the choices that only such a one has. */
const planFields = {
  when: when.optional(),
  trigger: EventTrigger.optional(),
  /** The prompt is said as it stands, without any model. */
  remind: z.boolean().optional(),
  group,
  ...ofPlannedOnes,
};

/** Done once and now; with `when` or `trigger`, planned. */
export const NewTask = z.strictObject({
  prompt: z.string().min(1).max(1_000_000),
  /** The conversation it is said in; none: one of its own. */
  sessionKey: ConversationKey.optional(),
  /** The conversation's model and agent from now on. */
  model: ModelName.optional(),
  agentId: z.string().min(1).max(100).optional(),
  ...planFields,
});
export type NewTask = z.infer<typeof NewTask>;

export function isPlan(wish: NewTask): boolean {
  if (wish.when !== undefined || wish.trigger !== undefined) return true;
  const given = Object.keys(planFields).filter((name) => wish[name as keyof typeof planFields] !== undefined);
  if (given.length === 0) return false;
  throw new CallRefused("invalid", `${given.join(", ")}: goes with when or trigger only.`);
}
