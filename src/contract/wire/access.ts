// Who may come in: what a token allows, as the server's own record says and never as a client claims.
import { z } from "zod";
import { ConversationKey } from "../conversation-key.ts";

/** owner: everything. read: look at everything. approve: see and answer questions. task: one conversation and nothing else. */
export const Scope = z.enum(["owner", "read", "approve", "task"]);
export type Scope = z.infer<typeof Scope>;

/** A token as its owner sees it; the secret itself is shown once and kept only as a hash. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scope: Scope,
  sessionKey: ConversationKey.optional(),
  /** browser: a page that was let in by a one-time code. token: made for a program. */
  kind: z.enum(["browser", "token"]),
  createdAtMs: z.number(),
  lastUsedAtMs: z.number().optional(),
  expiresAtMs: z.number().optional(),
});
export type AccessToken = z.infer<typeof AccessToken>;
