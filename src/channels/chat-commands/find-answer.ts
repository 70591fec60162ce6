// "yes" and "no" as an answer to the one question that stands open in this chat.
import type { ChannelsDeps } from "../channels-deps.ts";
import type { ChatPlace, FoundCommand } from "./chat-place.ts";

const yes = /^(?:y|yes|ok|okay|approve|approved|do it|go ahead|👍)[.!]*$/iu;
const no = /^(?:n|no|nope|deny|denied|don't|do not|👎)[.!]*$/iu;

/** Undefined: other words, or it is not certain which question is meant. */
export async function findAnswer(
  { ledger }: Pick<ChannelsDeps, "ledger">,
  { conversation }: ChatPlace,
  text: string,
): Promise<FoundCommand | undefined> {
  const said = text.trim();
  const name = yes.test(said) ? "approve" : no.test(said) ? "deny" : undefined;
  if (name === undefined) return undefined;
  const [only, ...others] = await ledger.questionsIn(conversation);
  // by its id, which means no other one a moment later
  return only === undefined || others.length > 0 ? undefined : { name, rest: only };
}
