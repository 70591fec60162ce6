import { type Event, isListed } from "../../contract/event.ts";

/** The event without anything that was said: order, outcomes and costs stay, so that the log still adds up. */
export function blankEvent(event: Event): Event {
  switch (event.type) {
    case "message.received":
      return { ...event, text: "", attachments: [], sender: { kind: event.sender.kind, id: event.sender.id } };
    case "message.refused":
      return { ...event, text: "", sender: { kind: event.sender.kind, id: event.sender.id } };
    case "step.finished": {
      const { reasoning: _, providerState: __, ...rest } = event;
      return {
        ...rest,
        text: "",
        toolCalls: event.toolCalls.map(({ callId, tool }) => ({ callId, tool, arguments: {} })),
      };
    }
    case "tool.sent": {
      const { claim: _, ...rest } = event;
      return rest;
    }
    case "tool.returned":
      // which files hold untrusted words must be known as long as the files are there
      return { ...event, output: "", attachments: [], changes: [] };
    case "approval.asked":
      return { ...event, arguments: {}, display: "", reason: "" };
    case "approval.answered": {
      const { reason: _, ...rest } = event;
      return rest;
    }
    case "turn.finished": {
      const { detail: _, ...rest } = event;
      return rest;
    }
    case "changes.undone":
      return { ...event, output: "" };
    case "reply.written":
      return { ...event, text: "", attachments: [] };
    case "conversation.configured": {
      const { title: _, ...rest } = event;
      return rest;
    }
    case "conversation.compacted":
      return { ...event, summary: "" };
    default:
      return isListed(event.type) ? event : onlyPlace(event);
  }
}

// whatever another room wrote may hold words
function onlyPlace(event: Event): Event {
  const { type, seq, atMs, conversation } = event;
  return { type, seq, atMs, conversation, ...("turn" in event && { turn: event.turn }) } as Event;
}
