import { randomBytes } from "node:crypto";
import { conversationKey } from "../../contract/conversation-key.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { Hook, hookMethods } from "../../contract/wire/methods/hooks.ts";
import type { World } from "../../contract/world.ts";
import type { Database } from "../../store/database/database.ts";
import { addHook, listHooks, removeHook, type StoredHook } from "../../store/tables/hooks.ts";
import { hashSecret } from "../access/secret.ts";

const secretBytes = 32;

export function serveHooks(deps: { database: Database; world: World }): Served<typeof hookMethods> {
  return {
    "hooks.list": async () => ({ hooks: (await listHooks(deps.database)).map(shownHook) }),
    async "hooks.create"(_caller, { name, prompt, signed }) {
      const token = randomBytes(secretBytes).toString("base64url");
      const secret = signed ? `whsec_${randomBytes(secretBytes).toString("base64")}` : undefined;
      const id = deps.world.newId("hook").replace(/^hook_/, "");
      const hook: StoredHook = { id, name, prompt, secret, createdAtMs: deps.world.nowMs() };
      // the path's secret part is kept as a hash: enough to know it again, not enough to use it
      await addHook(deps.database, hook, hashSecret(token));
      return { hook: shownHook(hook), path: `/api/hooks/${token}`, ...(secret && { secret }) };
    },
    "hooks.remove": async (_caller, { id }) => ({ ok: await removeHook(deps.database, id) }),
  };
}

export function hookConversation(id: string): string {
  return conversationKey("hook", id);
}

function shownHook({ id, name, prompt, createdAtMs }: StoredHook): Hook {
  return { id, name, prompt, sessionKey: hookConversation(id), createdAtMs };
}
