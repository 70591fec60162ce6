import type { Sender } from "../contract/sender.ts";
import type { ChannelsDeps } from "./channels-deps.ts";

/**
 * In all conversations of which this holds: what waits is taken back before what goes on is stopped, so that none of it begins instead.
 * Answers with the turns that were stopped; one of `before` is told only once.
 */
export async function stopWork(
  { client, ledger }: Pick<ChannelsDeps, "client" | "ledger">,
  by: Sender,
  isMeant: (conversation: string) => Promise<boolean>,
  before: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const { call } = client(by);
  const stopped = new Set<string>();
  for (const { conversation, waiting } of await ledger.openWork()) {
    if (!(await isMeant(conversation))) continue;
    for (const runId of waiting) await call("chat.abort", { runId });
    const turn = await ledger.turnIn(conversation);
    if (turn !== undefined && before.has(turn)) continue;
    await call("chat.abort", { sessionKey: conversation });
    if (turn !== undefined) stopped.add(turn);
  }
  return stopped;
}
