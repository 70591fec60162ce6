import { setTimeout } from "node:timers/promises";
import { Failure } from "../../contract/failure.ts";
import type { CommandContext, CommandOption } from "../../contract/room/command.ts";
import type { ChatDeps } from "../chat/open-chat.ts";
import { visibleLine } from "../visible-text.ts";

export const sessionOption: CommandOption = {
  form: "--session <key>",
  description: "the conversation: its key, or a short name such as work",
  completes: "session",
};

/** A short name such as `work` is a conversation of the terminal; a full key is taken as it is. */
export async function readSessionKey(name = "default"): Promise<string> {
  const key = name.includes("--") ? name : `terminal--${name}`;
  const { ConversationKey } = await import("../../contract/conversation-key.ts");
  if (ConversationKey.safeParse(key).success) return key;
  throw new Failure(
    `“${visibleLine(name, 60)}” cannot name a conversation: a name has letters, digits, _, . and - only, such as --session work. List them: steward sessions`,
  );
}

/** A program gives up on a lost connection after a while; a person can leave whenever they like. */
export function chatDeps(context: CommandContext, maxReconnects = 6, { staying } = { staying: false }): ChatDeps {
  return {
    connect: () => context.connect({ staying }),
    world: context.world,
    maxReconnects,
    pause: (ms) => setTimeout(ms),
  };
}
