// "yes" and "no" as an answer to the one question that this conversation itself has asked and that stands open in it.
import type { IncomingWords } from "../../contract/channel/incoming-update.ts";
import type { ChannelsDeps } from "../channels-deps.ts";
import type { ChatPlace, FoundCommand } from "./chat-place.ts";
import { wasOrdered } from "./run-command.ts";

const yes = /^(?:y|yes|yep|yeah|sure|ok|okay|approve|approved|do it|go ahead|👍)[.!]*$/iu;
const no = /^(?:n|no|nope|nah|deny|denied|don't|don’t|do not|👎)[.!]*$/iu;
/** "no, rather not": what stands behind it says why. */
const noBecause = /^(?:no|nope|nah)(?:[,.;:!]| thanks\b| thank you\b)/iu;

/** Undefined: other words, or it is not certain which question is meant. "again": the platform brings an answer once more. */
export async function findAnswer(
  { ledger, store }: Pick<ChannelsDeps, "ledger" | "store">,
  place: ChatPlace,
  { text, ref, answersRef }: IncomingWords,
): Promise<FoundCommand | "again" | undefined> {
  const said = text.trim();
  const isNo = no.test(said) || noBecause.test(said);
  const name = yes.test(said) ? "approve" : isNo ? "deny" : undefined;
  if (name === undefined) return undefined;
  if (await wasOrdered({ store }, place)) return "again";
  const shown = await ledger.questionsIn(place.conversation);
  const [only, ...others] = (await ledger.openApprovals()).filter((open) =>
    shown.some(({ approvalId }) => approvalId === open.approvalId),
  );
  // what others have made it ask may come at any moment, also while the owner says yes to something else
  if (!only || others.length > 0 || only.sessionKey !== place.conversation) return undefined;
  const isSeen = shown.some(
    (question) => question.approvalId === only.approvalId && isAnswerTo(question, ref, answersRef),
  );
  if (!isSeen) return undefined;
  // by its id, which means no other one a moment later
  return { name, rest: only.approvalId, ...(noBecause.test(said) && { reason: said }) };
}

type Shown = { ref: string; isLast: boolean };

/** Said below the question, with nothing in between, and about nothing else. */
function isAnswerTo(question: Shown, ref: string | undefined, answersRef: string | undefined): boolean {
  if (answersRef !== undefined) return answersRef === question.ref;
  return question.isLast && ref !== undefined && isBelow(ref, question.ref);
}

/** On all platforms messages are numbered as they come, whatever their clocks say. */
function isBelow(ref: string, other: string): boolean {
  const form = /^(\d+)(?:\.(\d+))?$/;
  const [own, before] = [form.exec(ref), form.exec(other)];
  if (!own || !before) return false;
  const [whole, wholeBefore] = [BigInt(own[1] ?? 0), BigInt(before[1] ?? 0)];
  return whole > wholeBefore || (whole === wholeBefore && BigInt(own[2] ?? 0) > BigInt(before[2] ?? 0));
}
