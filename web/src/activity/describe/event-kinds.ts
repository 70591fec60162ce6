import type { Event, EventType } from "../../../../src/contract/event.ts";
import { isBackground } from "../../words.ts";

export type ActivityKind = "messages" | "tasks" | "tools" | "questions" | "files" | "app";

export const kindNames: Readonly<Record<ActivityKind, string>> = {
  messages: "Messages",
  tasks: "Tasks",
  tools: "Tools",
  questions: "Questions",
  files: "Files changed",
  app: "Access & settings",
};

export const activityKinds = Object.keys(kindNames) as readonly ActivityKind[];

type Place = {
  kinds: readonly ActivityKind[];
  /** A step on the way that matters only to somebody who looks for a fault. */
  small: boolean;
};

const placeOf: Readonly<Record<EventType, Place>> = {
  "message.received": { kinds: ["messages", "tasks"], small: false },
  "message.refused": { kinds: ["messages"], small: false },
  "message.withdrawn": { kinds: ["messages", "tasks"], small: false },
  "turn.started": { kinds: ["messages"], small: true },
  "turn.resumed": { kinds: ["messages"], small: false },
  "turn.interrupted": { kinds: ["messages"], small: true },
  "turn.steered": { kinds: ["messages"], small: true },
  "turn.waiting": { kinds: ["questions"], small: true },
  "turn.stop_requested": { kinds: ["messages"], small: false },
  "turn.finished": { kinds: ["messages", "tasks"], small: false },
  "step.finished": { kinds: ["tools"], small: true },
  "tool.sent": { kinds: ["tools"], small: true },
  "model.failed": { kinds: ["messages"], small: false },
  "model.called": { kinds: ["tools"], small: true },
  "tool.returned": { kinds: ["tools", "files"], small: false },
  "approval.asked": { kinds: ["questions"], small: false },
  "approval.answered": { kinds: ["questions"], small: false },
  "approval.reminded": { kinds: ["questions"], small: false },
  "changes.undone": { kinds: ["files"], small: false },
  "reply.written": { kinds: ["messages", "tasks"], small: false },
  "reply.delivered": { kinds: ["messages"], small: true },
  "message.overheard": { kinds: ["messages"], small: true },
  "reply.sending": { kinds: ["messages"], small: true },
  "reply.unsent": { kinds: ["messages"], small: true },
  "reply.sent": { kinds: ["messages"], small: true },
  "question.closed": { kinds: ["questions"], small: true },
  "draft.shown": { kinds: ["messages"], small: true },
  "draft.cleared": { kinds: ["messages"], small: true },
  "chat.met": { kinds: ["app"], small: true },
  "chat.commanded": { kinds: ["messages"], small: false },
  "person.allowed": { kinds: ["app"], small: false },
  "person.removed": { kinds: ["app"], small: false },
  "group.registered": { kinds: ["app"], small: false },
  "group.changed": { kinds: ["app"], small: false },
  "group.removed": { kinds: ["app"], small: false },
  "channel.lost": { kinds: ["app"], small: false },
  "channel.found": { kinds: ["app"], small: false },
  "conversation.renewed": { kinds: ["messages"], small: false },
  "conversation.configured": { kinds: ["app"], small: false },
  "conversation.compacted": { kinds: ["messages"], small: false },
  "conversation.rewound": { kinds: ["messages"], small: false },
  "conversation.deleted": { kinds: ["app"], small: false },
  "conversation.forgotten": { kinds: ["app"], small: true },
  "task.made": { kinds: ["tasks"], small: false },
  "task.changed": { kinds: ["tasks"], small: false },
  "task.ended": { kinds: ["tasks"], small: false },
  "task.skipped": { kinds: ["tasks"], small: false },
  "task.settled": { kinds: ["tasks"], small: true },
  "heartbeat.noted": { kinds: ["tasks"], small: true },
  "memory.recalled": { kinds: ["messages"], small: true },
  "messages.forgotten": { kinds: ["messages"], small: false },
  "note.written": { kinds: ["files"], small: false },
  "access.granted": { kinds: ["app"], small: false },
  "access.revoked": { kinds: ["app"], small: false },
  "access.signed_in": { kinds: ["app"], small: false },
  "access.refused": { kinds: ["app"], small: false },
  "trouble.met": { kinds: ["app"], small: false },
  "settings.changed": { kinds: ["app"], small: false },
};

const allTypes = Object.keys(placeOf) as readonly EventType[];

export function isSmall(type: EventType): boolean {
  return placeOf[type].small;
}

export function isOfKinds(event: Event, kinds: readonly ActivityKind[]): boolean {
  if (kinds.length === 0) return true;
  const own = placeOf[event.type].kinds.filter((kind) => kind !== "tasks" || isOfTask(event));
  return own.some((kind) => kinds.includes(kind));
}

// a run, what it told, and how it ended; the same kinds of event happen in every conversation
function isOfTask(event: Event): boolean {
  switch (event.type) {
    case "message.received":
      return event.run !== undefined;
    case "reply.written":
      return event.task !== undefined;
    case "message.withdrawn":
    case "turn.finished":
      return isBackground(event.conversation);
    default:
      return true;
  }
}

function mayBeOfKinds(type: EventType, kinds: readonly ActivityKind[]): boolean {
  return kinds.length === 0 || placeOf[type].kinds.some((kind) => kinds.includes(kind));
}

/** The types to ask the gateway for; undefined when it is all of them. */
export function typesFor(kinds: readonly ActivityKind[], smallSteps: boolean): EventType[] | undefined {
  if (kinds.length === 0 && smallSteps) return undefined;
  return allTypes.filter((type) => isWanted(type, kinds, smallSteps) || (kinds.length === 0 && type === carriesCalls));
}

// a tool's result does not repeat what the tool was told: that stands in the step before it
const carriesCalls: EventType = "step.finished";

function isWanted(type: EventType, kinds: readonly ActivityKind[], smallSteps: boolean): boolean {
  const tellsOfTools = type === carriesCalls && (kinds.includes("tools") || kinds.includes("files"));
  return tellsOfTools || (mayBeOfKinds(type, kinds) && (smallSteps || !placeOf[type].small));
}
