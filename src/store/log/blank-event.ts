import { type Event, type EventOf, type EventType, isListed } from "../../contract/event.ts";

const blankTask: EventOf<"task.made">["definition"] = {
  ...{ title: "(deleted)", action: { kind: "say", text: "(deleted)" }, trigger: { kind: "once", atMs: 0 } },
  ...{ deliverTo: "none", missed: "skip", overlap: "skip", deleteAfterRun: true },
};

// what is put in the place of words; undefined leaves the field out
const blanks: { [Type in EventType]?: { [Field in keyof EventOf<Type>]?: EventOf<Type>[Field] | undefined } } = {
  "message.received": { text: "", attachments: [], data: undefined, labels: undefined, named: undefined },
  "message.refused": { text: "" },
  "message.overheard": { text: "", attachments: [] },
  "chat.commanded": { command: "" },
  "chat.met": { title: "", details: undefined },
  "step.finished": { text: "", reasoning: undefined, providerState: undefined },
  "tool.sent": { claim: undefined },
  // which files hold untrusted words must be known as long as the files are there
  "tool.returned": { output: "", attachments: [], changes: [], labels: [], links: undefined },
  "approval.asked": { arguments: {}, display: "", reason: "", labels: [] },
  "approval.answered": { reason: undefined },
  "turn.finished": { detail: undefined },
  "changes.undone": { output: "" },
  "reply.written": { text: "", attachments: [], labels: undefined },
  "task.made": { definition: blankTask, labels: [], named: undefined },
  "task.changed": { definition: undefined, labels: undefined, named: undefined },
  "heartbeat.noted": { text: "", labels: [] },
  "conversation.configured": { title: undefined },
  "conversation.compacted": { summary: "" },
};

/** The event without anything that was said: order, outcomes and costs stay, so that the log still adds up. */
export function blankEvent(event: Event): Event {
  if (!isListed(event.type)) return onlyPlace(event);
  const blank = { ...event, ...blanks[event.type] } as Event;
  if (blank.type === "message.received" || blank.type === "message.refused" || blank.type === "message.overheard")
    return { ...blank, sender: { kind: blank.sender.kind, id: blank.sender.id } };
  // a label may hold the name of what was read
  if (blank.type === "tool.returned")
    return { ...blank, files: blank.files.map((file) => ({ ...file, labels: file.labels.map(kindOfLabel) })) };
  if (blank.type === "memory.recalled") return { ...blank, finds: blank.finds.map((find) => ({ ...find, why: [] })) };
  if (blank.type === "reply.written" && blank.task) return { ...blank, task: { ...blank.task, title: "" } };
  if (blank.type !== "step.finished") return blank;
  return { ...blank, toolCalls: blank.toolCalls.map(({ callId, tool }) => ({ callId, tool, arguments: {} })) };
}

/** The same for an event of a conversation that goes on: of what kind of words it has taken in is still told. */
export function blankForgotten(event: Event): Event {
  const labels = [...new Set(labelsIn(event).map(kindOfLabel))];
  const blank = blankEvent(event);
  return labels.length > 0 ? ({ ...blank, labels } as Event) : blank;
}

function labelsIn(event: Event): readonly string[] {
  if (event.type === "message.received") return [...event.attachments.map(() => "upload"), ...(event.labels ?? [])];
  return event.type === "tool.returned" || event.type === "reply.written" ? (event.labels ?? []) : [];
}

export function kindOfLabel(label: string): string {
  return label.split(":", 1)[0] ?? "";
}

// whatever another room wrote may hold words
function onlyPlace(event: Event): Event {
  const { type, seq, atMs, conversation } = event;
  return { type, seq, atMs, conversation, ...("turn" in event && { turn: event.turn }) } as Event;
}
