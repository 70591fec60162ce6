import { createHash } from "node:crypto";
import { conversationKey } from "../../contract/conversation-key.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { World } from "../../contract/world.ts";

const maxKeyLength = 180;

/** A conversation of its own; made from the key if there is one, so that a repeated request cannot begin a second one. */
export function ownConversation(world: World, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return conversationKey("api", world.newId("s").slice(2, 18));
  return conversationKey("api", createHash("sha256").update(idempotencyKey).digest("hex").slice(0, 24));
}

export function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  const key = header?.toString();
  if (key === undefined || (key.length > 0 && key.length <= maxKeyLength)) return key;
  throw new CallRefused("invalid", `Idempotency-Key is a text of 1 to ${maxKeyLength} characters.`);
}
