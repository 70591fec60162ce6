// What happened on channels and in groups, as a line that a person reads out.
import type { Event, EventOf } from "../../../../src/contract/event.ts";
import type { IconName } from "../../style/icons.ts";
import { channelTitles } from "../../words.ts";
import { type ActivityLine, assistant, whoIs } from "../activity-line.ts";

export type ChannelEvent = Extract<
  Event,
  {
    type:
      | "message.overheard"
      | `reply.${"sending" | "unsent" | "sent"}`
      | "question.closed"
      | `draft.${string}`
      | `chat.${string}`
      | `person.${string}`
      | `group.${string}`
      | `channel.${string}`;
  }
>;

export function describeChannelEvent(event: ChannelEvent): ActivityLine {
  switch (event.type) {
    case "message.overheard":
      return { icon: "chat", who: whoIs(event.sender), sentence: "wrote to others in a group", tone: "quiet" };
    case "reply.sending":
      return quiet("chat", `began to send piece ${event.piece + 1} of an answer`);
    case "reply.unsent":
      return { ...quiet("chat", "could not send a piece of an answer yet"), detail: event.reason };
    case "reply.sent":
      return sentLine(event);
    case "question.closed":
      return quiet("bell", "took the buttons off a question that was answered");
    case "draft.shown":
      return quiet("chat", "showed in the chat what it was doing");
    case "draft.cleared":
      return quiet("chat", "took that away again");
    case "chat.met":
      return quiet("chat", `noted where a conversation takes place on ${channelTitle(event.channel)}`);
    case "chat.commanded":
      return { icon: "chat", who: whoIs(event.by), sentence: `ordered ${event.command}`, tone: "quiet" };
    case "person.allowed":
      return app(event, `let ${event.name} (${event.person}) talk on ${channelTitle(event.channel)}`);
    case "person.removed":
      return app(event, `no longer lets ${event.person} talk on ${channelTitle(event.channel)}`);
    case "group.registered":
      return app(event, `made “${event.title}” on ${channelTitle(event.channel)} the group ${event.group}`);
    case "group.changed":
      return app(event, `changed the group ${event.group}`);
    case "group.removed":
      return app(event, `took the group ${event.group} out`);
    case "channel.lost":
      return { ...quiet("warning", `lost ${channelTitle(event.channel)}`), detail: event.reason, tone: "error" };
    case "channel.found":
      return quiet("chat", `reached ${channelTitle(event.channel)} again`);
    default:
      event satisfies never;
      return quiet("activity", "noted something about a channel");
  }
}

function sentLine({ piece, mayRepeat }: EventOf<"reply.sent">): ActivityLine {
  const line = quiet("chat", `sent piece ${piece + 1} of an answer`);
  return mayRepeat ? { ...line, sentence: `${line.sentence}, which may be a repeat`, tone: "warning" } : line;
}

function app({ by }: { by: EventOf<"person.allowed">["by"] }, sentence: string): ActivityLine {
  return { icon: "settings", who: whoIs(by), sentence, tone: "quiet" };
}

function quiet(icon: IconName, sentence: string): ActivityLine {
  return { icon, who: assistant, sentence, tone: "quiet" };
}

function channelTitle(name: string): string {
  return name in channelTitles ? channelTitles[name as keyof typeof channelTitles] : name;
}
