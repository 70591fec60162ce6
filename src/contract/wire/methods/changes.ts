import { z } from "zod";
import { ConversationKey } from "../../conversation-key.ts";
import { defineMethods } from "./define-methods.ts";

export const changeMethods = defineMethods({
  /** Takes back the newest change to files in this conversation that has not been taken back yet. */
  "changes.undo": {
    scopes: [],
    params: z.strictObject({
      sessionKey: ConversationKey,
      /** The number of the tool.returned event whose changes are meant, if not the newest. */
      returned: z.number().int().positive().optional(),
    }),
    result: z.object({ undone: z.boolean(), output: z.string() }),
  },
});
