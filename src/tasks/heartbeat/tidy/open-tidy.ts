// Once a night the notes are looked through, if there is a model that can: what should change is proposed, and nothing else is done.
import type { PromptPart } from "../../../contract/room/room.ts";
import { tidyConversation } from "../../../contract/task/task.ts";
import { planJob } from "../../run/jobs.ts";
import { nextAfter } from "../../schedule/next-times.ts";
import type { BeatDeps } from "../begin-beat.ts";
import { beginTidy } from "./begin-tidy.ts";
import { tidyRules } from "./tidy-words.ts";

export type Tidy = {
  /** Its time has come: look, or know why not, and plan the next night. */
  tidy(dueAtMs: number): Promise<void>;
  promptParts(conversation: string): Promise<readonly PromptPart[]>;
  start(): Promise<void>;
};

export function openTidy(deps: BeatDeps): Tidy {
  const { enabled, at } = deps.settings.memory.tidy;
  return {
    async tidy(dueAtMs) {
      if (!enabled) return;
      // planned before anything can fail, so that the nights never end
      await planNext();
      await beginTidy(deps, dueAtMs);
    },
    promptParts: async (conversation) => (conversation === tidyConversation ? [{ text: tidyRules, stable: true }] : []),
    async start() {
      // at another time by now, or not at all; what was missed while Steward was not there is made up for once
      for (const { id, dueAtMs } of await deps.engine.list({ lane: "tidy", state: "waiting", limit: 1_000 }))
        if (!enabled || (dueAtMs > deps.world.nowMs() && dueAtMs !== nextNight())) await deps.engine.cancel(id);
      if (enabled) await planNext();
    },
  };

  /** The first night to come whose job is not over: a clock that was set back does not end them. */
  async function planNext(): Promise<void> {
    let dueAtMs: number | undefined = nextNight();
    while (dueAtMs !== undefined && !(await planJob(deps.engine, { kind: "tidy", dueAtMs }, dueAtMs)))
      dueAtMs = nextNight(dueAtMs);
  }

  function nextNight(afterMs = deps.world.nowMs()): number | undefined {
    const [hour, minute] = at.split(":").map(Number);
    return nextAfter({ kind: "cron", expression: `${minute} ${hour} * * *`, timeZone: deps.timeZone }, afterMs);
  }
}
