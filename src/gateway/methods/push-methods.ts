import { CallRefused } from "../../contract/wire/client.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import type { pushMethods } from "../../contract/wire/methods/push.ts";
import type { Database } from "../../store/database/database.ts";
import { addPushSubscription, removePushSubscription } from "../../store/tables/push-subscriptions.ts";
import { environmentTokenId } from "../access/environment-token.ts";
import { areBrowserKeys } from "../push/encrypt-message.ts";
import type { PushKeys } from "../push/push-keys.ts";

const maxSubscriptions = 20;

export function servePush(deps: {
  database: Database;
  keys(): Promise<PushKeys>;
  nowMs(): number;
}): Served<typeof pushMethods> {
  return {
    "push.key": async () => ({ publicKey: (await deps.keys()).publicKey }),
    async "push.subscribe"({ tokenId }, { subscription }) {
      // a subscription ends with the token that made it, and the end of this one is not written down anywhere
      if (tokenId === environmentTokenId)
        throw new CallRefused(
          "forbidden",
          "Notifications cannot be switched on with STEWARD_GATEWAY_TOKEN. Sign in, or make a token of your own.",
        );
      if (!areBrowserKeys(subscription.keys))
        throw new CallRefused("invalid", "push.subscribe: these are not the keys that a browser hands out.");
      const place = { tokenId, nowMs: deps.nowMs(), max: maxSubscriptions };
      if (!(await addPushSubscription(deps.database, subscription, place)))
        throw new CallRefused(
          "conflict",
          `${maxSubscriptions} browsers are told already. Switch notifications off in one of them, or revoke its token.`,
        );
      return { ok: true };
    },
    async "push.unsubscribe"({ scope, tokenId }, { endpoint }) {
      // whoever has no token of their own made none
      const whose = scope === "owner" ? undefined : (tokenId ?? "");
      return { ok: await removePushSubscription(deps.database, endpoint, whose) };
    },
  };
}
