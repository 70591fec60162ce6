import { setTimeout } from "node:timers/promises";
import type { CommandContext } from "../../contract/room/command.ts";
import type { ChatDeps } from "../chat/open-chat.ts";

export const sessionOption = {
  form: "--session <key>",
  description: "the conversation: its key, or a short name such as work",
};

/** A short name such as `work` is a conversation of the terminal; a full key is taken as it is. */
export function sessionKeyFor(name: string | undefined): string {
  if (name === undefined) return "terminal--default";
  return name.includes("--") ? name : `terminal--${name}`;
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
