// Words and files that a run sends before it is over, and the questions it asks, reach the owner at once.
import { questionWords } from "../../contract/conversation/task-words.ts";
import { channelOf } from "../../contract/conversation-key.ts";
import type { Event, EventOf, NewEvent } from "../../contract/event.ts";
import { isBackground, runKeyIn } from "../../contract/task/task.ts";
import { shortenQuestion } from "../../contract/words/spell-out.ts";
import { findGroup } from "../../store/channels/find-group.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { openQuestions } from "../../store/tables/task-queries.ts";
import { findTarget, ownersPlace } from "./delivery.ts";
import { planJob } from "./jobs.ts";
import { type SettleDeps, type Speaker, speakerIn } from "./speaker.ts";

const dayMs = 86_400_000;
/** When an owner who has not answered is told once more. */
const remindAfterMs = [1, 3, 7, 14, 28, 56].map((days) => days * dayMs);
const longestQuestion = 600;

/** What `send_message` and `send_file` have written in a conversation that nobody reads. */
export function isSentByRun(event: Event): event is EventOf<"reply.written"> {
  return event.type === "reply.written" && isBackground(event.conversation) && !event.turn && !event.task;
}

export async function forwardReply(deps: SettleDeps, sent: EventOf<"reply.written">): Promise<void> {
  const speaker = await speakerIn(deps, sent.conversation);
  if (!speaker || speaker.definition.deliverTo === "none") return;
  await tell(deps, speaker, `sent:${sent.seq}`, { text: sent.text, attachments: [...sent.attachments] });
}

/** Every question of a run that waits, or these: told where its answer would go, and again when nobody has answered for a while. */
export async function forwardQuestions(deps: SettleDeps, only?: readonly string[]): Promise<void> {
  for (const question of await openQuestions(deps.database)) {
    const isMeant = only === undefined || only.includes(question.approvalId);
    if (!isMeant || !isBackground(question.conversation)) continue;
    const speaker = await speakerIn(deps, question.conversation);
    if (speaker) await tell(deps, speaker, `asked:${question.approvalId}`, asked(question));
    await planReminder(deps, { approvalId: question.approvalId, askedAtMs: question.atMs, reminder: 0 });
  }
}

type Reminder = { approvalId: string; askedAtMs: number; reminder: number };

async function planReminder(deps: SettleDeps, reminder: Reminder): Promise<void> {
  const afterMs = remindAfterMs[reminder.reminder];
  if (afterMs !== undefined) await planJob(deps.engine, { kind: "ask", ...reminder }, reminder.askedAtMs + afterMs);
}

/** The next one is planned with it. One that was answered meanwhile is left alone. */
export async function remind(deps: SettleDeps, reminder: Reminder): Promise<void> {
  const { approvalId } = reminder;
  const question = (await openQuestions(deps.database)).find((open) => open.approvalId === approvalId);
  if (!question) return;
  const { conversation, turn } = question;
  await deps.log.append([{ type: "approval.reminded", conversation, turn, approvalId }], {
    idempotencyKey: `reminded:${approvalId}:${reminder.reminder}`,
  });
  await planReminder(deps, { ...reminder, reminder: reminder.reminder + 1 });
}

function asked({ display, approvalId }: EventOf<"approval.asked">) {
  const { text } = shortenQuestion(display, longestQuestion);
  return {
    text: questionWords(text),
    attachments: [],
    ask: approvalId,
  };
}

type Words = { text: string; attachments: EventOf<"reply.written">["attachments"]; ask?: string };

async function tell(deps: SettleDeps, speaker: Speaker, key: string, { text, attachments, ask }: Words): Promise<void> {
  const place = await findTarget(deps, speaker);
  // a group hears what is done for it; whether it may be done is asked of the owner
  const to = ask !== undefined && (await findGroup(deps.database, place)) ? await ownersPlace(deps.database) : place;
  const { labels = [] } = (await conversationState(deps.database, speaker.conversation)) ?? {};
  const voice = { id: speaker.id, title: speaker.definition.title, ...(ask !== undefined && { ask }) };
  const reply: NewEvent = {
    type: "reply.written",
    conversation: to,
    channel: channelOf(to),
    text: deps.redact(text),
    attachments,
    task: voice,
    labels: [...labels],
  };
  await deps.log.append([reply], { idempotencyKey: runKeyIn(speaker.conversation, key) });
}
