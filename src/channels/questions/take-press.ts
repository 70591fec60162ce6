// A press on a button that Steward has sent: the answer to a question, or a wish to stop.
import { conversationAt } from "../../contract/channel/address.ts";
import type { ChannelName } from "../../contract/channel/channel.ts";
import type { IncomingPress, IncomingUpdate } from "../../contract/channel/incoming-update.ts";
import { reasonOf } from "../../contract/failure.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { ChannelsDeps } from "../channels-deps.ts";
import { readPress } from "./presses.ts";

type Who = { channel: ChannelName; mayTalk: boolean };

export async function takePress(
  deps: ChannelsDeps,
  { channel, mayTalk }: Who,
  update: IncomingUpdate & IncomingPress,
): Promise<void> {
  const press = readPress(update.press);
  if (!press) return;
  // whoever holds the phone is known by a secret that only the message on it has had
  const isOwner = mayTalk || channel === "ntfy";
  const kind = isOwner ? ("owner" as const) : ("group" as const);
  const sender = { kind, id: `${channel}:${update.from.id}`, name: update.from.name };
  const answer = await answerTo();
  // it is done; that the platform could not show so is no reason to take it again
  await update
    .answer(answer)
    .catch((cause) => deps.note("a press was not confirmed", { channel, reason: reasonOf(cause) }));

  async function answerTo(): Promise<string> {
    const conversation = conversationAt(channel, update.address);
    const isGroup = !update.isDirect && (await deps.ledger.groupOf(conversation)) !== undefined;
    if (press?.kind === "stop") {
      if (!isOwner && !isGroup) return "";
      if ((await deps.ledger.turnIn(conversation)) !== press.turn) return "That is over already.";
      await deps.client(sender).call("chat.abort", { sessionKey: conversation });
      return "Stopping…";
    }
    if (!press || !isOwner) return "Only the owner can answer this.";
    await noteArrival(deps, conversation, press.approvalId, update.ref);
    try {
      if (press.kind === "yes") await deps.client(sender).call("exec.approve", { approvalId: press.approvalId });
      else await deps.client(sender).call("exec.deny", { approvalId: press.approvalId });
      return press.kind === "yes" ? "Approved." : "Denied.";
    } catch (cause) {
      if (cause instanceof CallRefused) return "This was answered already, or has run out.";
      throw cause;
    }
  }
}

/** Whoever presses a button has it before them: the message has arrived, also if that was not noted any more. */
async function noteArrival(
  { ledger, store }: ChannelsDeps,
  conversation: string,
  approvalId: string,
  ref: string | undefined,
): Promise<void> {
  const doubt = ref === undefined ? undefined : await ledger.questionInDoubt(conversation, approvalId);
  if (doubt && ref !== undefined) await store.log.append([{ type: "reply.sent", conversation, ...doubt, ref }]);
}
