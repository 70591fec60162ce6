import type { Sender } from "../contract/sender.ts";
import type { ChannelsDeps } from "./channels-deps.ts";

/** In all conversations of which this holds: what waits is taken back before what goes on is stopped, so that none of it begins instead. */
export async function stopWork(
  { client, ledger }: Pick<ChannelsDeps, "client" | "ledger">,
  by: Sender,
  isMeant: (conversation: string) => Promise<boolean>,
): Promise<void> {
  const { call } = client(by);
  for (const { conversation, waiting } of await ledger.openWork()) {
    if (!(await isMeant(conversation))) continue;
    for (const runId of waiting) await call("chat.abort", { runId });
    await call("chat.abort", { sessionKey: conversation });
  }
}
