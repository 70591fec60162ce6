// An event of the log in, the line that a person reads out.
import type { Event } from "../../../../src/contract/event.ts";
import type { IconName } from "../../style/icons.ts";
import { toolName } from "../../tool-words.ts";
import { type ActivityLine, assistant, type EventContext, plural, whoIs } from "../activity-line.ts";
import { describeChannelEvent } from "./describe-channel-event.ts";
import { describeMemoryEvent } from "./describe-memory-event.ts";
import { describeDelivery, describeMessage, describeRefusal, describeReply } from "./describe-message.ts";
import {
  describeAccess,
  describeCompaction,
  describeConfiguration,
  describeRevocation,
  describeSettings,
  describeSignIn,
  describeTurnedAway,
} from "./describe-settings-event.ts";
import { describeTaskEvent } from "./describe-task-event.ts";
import { describeAnswer, describeQuestion, describeReturn, describeSent, describeUndo } from "./describe-tool-event.ts";
import { describeEnding, describeModelFailure, describeStep } from "./describe-turn-event.ts";

export function describeEvent(event: Event, context: EventContext): ActivityLine {
  switch (event.type) {
    case "message.received":
      return describeMessage(event);
    case "message.refused":
      return describeRefusal(event);
    case "message.withdrawn":
      return { icon: "undo", who: whoIs(event.by), sentence: "took back what had not begun yet", tone: "quiet" };
    case "turn.started":
      return quiet("chat", `took up ${plural(event.messages.length, "message")}`);
    case "turn.resumed":
      return { ...quiet("retry", "went on where a restart had interrupted it"), tone: "warning" };
    case "turn.interrupted":
      return quiet("clock", "put its work down while Steward was stopped");
    case "turn.steered":
      return quiet("chat", `read ${plural(event.messages.length, "new message")} while working`);
    case "turn.waiting":
      return quiet("clock", `waits for ${plural(event.approvals.length, "answer")} from you`);
    case "turn.stop_requested":
      return { icon: "stop", who: whoIs(event.by), sentence: "asked it to stop", tone: "quiet" };
    case "turn.finished":
      return describeEnding(event);
    case "step.finished":
      return describeStep(event);
    case "tool.sent":
      return describeSent(event, context);
    case "model.failed":
      return describeModelFailure(event);
    case "model.called":
      return quiet("tools", `asked ${event.model} for ${toolName(event.tool)}`);
    case "tool.returned":
      return describeReturn(event, context);
    case "approval.asked":
      return describeQuestion(event);
    case "approval.answered":
      return describeAnswer(event, context);
    case "approval.reminded":
      return { ...quiet("bell", "reminded you of a question that waits"), tone: "warning" };
    case "changes.undone":
      return describeUndo(event);
    case "reply.written":
      return describeReply(event);
    case "reply.delivered":
      return describeDelivery(event);
    case "task.made":
    case "task.changed":
    case "task.ended":
    case "task.skipped":
    case "task.settled":
    case "heartbeat.noted":
      return describeTaskEvent(event, context);
    case "message.overheard":
    case "reply.sending":
    case "reply.unsent":
    case "reply.sent":
    case "question.closed":
    case "draft.shown":
    case "draft.cleared":
    case "chat.met":
    case "chat.commanded":
    case "person.allowed":
    case "person.removed":
    case "group.registered":
    case "group.changed":
    case "group.removed":
    case "channel.lost":
    case "channel.found":
      return describeChannelEvent(event);
    case "memory.recalled":
    case "messages.forgotten":
    case "note.written":
      return describeMemoryEvent(event);
    default:
      return describeConversationOrSettings(event, context);
  }
}

type ConversationOrSettings = Extract<
  Event,
  { type: `conversation.${string}` | `access.${string}` | `settings.${string}` | `trouble.${string}` }
>;

function describeConversationOrSettings(event: ConversationOrSettings, context: EventContext): ActivityLine {
  switch (event.type) {
    case "conversation.configured":
      return describeConfiguration(event);
    case "conversation.compacted":
      return describeCompaction(event);
    case "conversation.renewed":
      return { icon: "chat", who: whoIs(event.by), sentence: "began anew in the same place", tone: "quiet" };
    case "conversation.rewound":
      return { icon: "edit", who: whoIs(event.by), sentence: "said something else instead", tone: "quiet" };
    case "conversation.deleted":
      return { icon: "trash", who: whoIs(event.by), sentence: "deleted a conversation for good", tone: "warning" };
    case "conversation.forgotten":
      return quiet("trash", "removed what a deleted conversation had left");
    case "access.granted":
      return describeAccess(event, context);
    case "access.revoked":
      return describeRevocation(event);
    case "access.signed_in":
      return describeSignIn(event);
    case "access.refused":
      return describeTurnedAway(event);
    case "trouble.met":
      return { icon: "warning", who: assistant, sentence: event.message, detail: event.reason, tone: "error" };
    case "settings.changed":
      return describeSettings(event);
    default:
      event satisfies never;
      return otherKind(event);
  }
}

// a kind that only its own room knows is still shown to have happened
function otherKind({ type }: { type: string }): ActivityLine {
  return quiet("activity", `noted ${type.replaceAll(/[._]/g, " ")}`);
}

function quiet(icon: IconName, sentence: string): ActivityLine {
  return { icon, who: assistant, sentence, tone: "quiet" };
}
