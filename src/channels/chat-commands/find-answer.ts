// "yes" and "no" as an answer to the one question that this conversation itself has asked and that stands open in it.
import type { ChannelsDeps } from "../channels-deps.ts";
import type { ChatPlace, FoundCommand } from "./chat-place.ts";
import { wasOrdered } from "./run-command.ts";

const yes = /^(?:y|yes|ok|okay|approve|approved|do it|go ahead|👍)[.!]*$/iu;
const no = /^(?:n|no|nope|deny|denied|don't|do not|👎)[.!]*$/iu;

/** Undefined: other words, or it is not certain which question is meant. "again": the platform brings an answer once more. */
export async function findAnswer(
  { ledger, store }: Pick<ChannelsDeps, "ledger" | "store">,
  place: ChatPlace,
  text: string,
): Promise<FoundCommand | "again" | undefined> {
  const said = text.trim();
  const name = yes.test(said) ? "approve" : no.test(said) ? "deny" : undefined;
  if (name === undefined) return undefined;
  if (await wasOrdered({ store }, place)) return "again";
  const shown = await ledger.questionsIn(place.conversation);
  const [only, ...others] = (await ledger.openApprovals()).filter(({ approvalId }) => shown.includes(approvalId));
  // what others have made it ask may come at any moment, also while the owner says yes to something else
  if (!only || others.length > 0 || only.sessionKey !== place.conversation) return undefined;
  // by its id, which means no other one a moment later
  return { name, rest: only.approvalId };
}
