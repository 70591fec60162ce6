import { setTimeout } from "node:timers/promises";
import type { ChatDeps } from "../chat/open-chat.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";

/** A program gives up on a lost connection after a while; a person can leave whenever they like. */
export function connectionDeps(deps: CommandLineDeps, maxReconnects = 6, { staying } = { staying: false }): ChatDeps {
  return {
    connect: () => deps.connect({ staying }),
    world: deps.world,
    maxReconnects,
    pause: (ms) => setTimeout(ms),
  };
}
