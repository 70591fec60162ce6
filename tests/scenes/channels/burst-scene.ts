// Three platforms at once, many people on them, and a model that names every message it was told since it last spoke.
import { onTestFinished } from "vitest";
import type { ModelRequest } from "../../../src/contract/model.ts";
import { startFakeDiscord } from "../../fakes/channels/discord-server.ts";
import { startFakeSlack } from "../../fakes/channels/slack-server.ts";
import { eventually } from "../eventually.ts";
import type { ScriptedAnswer } from "../scripted-model.ts";
import { type ChatOptions, openChat } from "./chat-scene.ts";

/** A place in which somebody writes and Steward answers. */
export type Place = {
  conversation: string;
  say(text: string): void;
  /** What Steward has said there, oldest first. */
  answers(): readonly string[];
};

export type BurstOptions = Omit<ChatOptions, "script" | "allowed" | "channels"> & {
  /** How many people write on Telegram. */
  people?: number;
  script?: (request: ModelRequest) => ScriptedAnswer;
};

const firstPerson = 301;
const mark = /m\d+\b/g;

export async function openBurst({ people = 7, script, ...options }: BurstOptions = {}) {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  const discord = await startFakeDiscord();
  const persons = Array.from({ length: people }, (_, index) => firstPerson + index);
  const startedAtMs = Date.now();
  const chat = await openChat({
    ...options,
    // the clock stands still, so that on a slow machine nothing of a turn is shown before its answer
    nowMs: () => startedAtMs,
    allowed: persons.map(String),
    script: script ?? ((request) => ({ text: `I have read ${newMarks(request).join(" ")}` })),
    environment: {
      SLACK_BOT_TOKEN: slack.tokens.bot,
      SLACK_APP_TOKEN: slack.tokens.app,
      DISCORD_BOT_TOKEN: discord.token,
    },
    channels: {
      slack: { enabled: true, apiUrl: slack.apiUrl, allowedUserIds: ["UADA", "UBEN"] },
      discord: { enabled: true, apiUrl: discord.apiUrl, allowedUserIds: ["100000000000000001"] },
    },
  });
  const { telegram, model } = chat;
  // Slack sends nothing to whoever is not connected
  await eventually(() => slack.sockets.openCount() > 0 && discord.gateway.isConnected());
  const onTelegram = persons.map((id): Place => {
    const from = { id, first_name: `Person ${id}` };
    return {
      conversation: `telegram--${id}`,
      say: (text) => void telegram.say(id, text, { from }),
      answers: () => chat.shown(id),
    };
  });
  const onSlack = ["D1", "D2"].map((channel): Place => {
    const user = channel === "D1" ? "UADA" : "UBEN";
    return {
      conversation: `slack--${channel}`,
      say: (text) => void slack.say({ channel, user, text }),
      answers: () => slack.messages(channel).flatMap((message) => (message.user === "UBOT" ? [message.text] : [])),
    };
  });
  const onDiscord: Place = {
    conversation: `discord--${discord.direct}`,
    say: (text) => void discord.say(discord.direct, text),
    answers: () =>
      discord.messages(discord.direct).flatMap(({ author, content }) => (author.id === discord.me.id ? [content] : [])),
  };
  const places = [...onTelegram, ...onSlack, onDiscord];
  let said = 0;
  return {
    ...chat,
    ...{ slack, discord, places, onTelegram, onSlack, onDiscord, sayTo, answered, forgetRecords },
    /** The same number in each place, taking turns; what was said where. */
    burst(each: number, to: readonly Place[] = places): ReadonlyMap<Place, readonly string[]> {
      const marks = new Map<Place, string[]>(to.map((place) => [place, []]));
      for (let round = 0; round < each; round++) for (const place of to) marks.get(place)?.push(sayTo(place));
      return marks;
    },
  };

  function sayTo(place: Place): string {
    const text = `m${++said}`;
    place.say(text);
    return text;
  }

  /** The test's own notes, which would grow with every message. */
  function forgetRecords(): void {
    model.requests.length = 0;
    telegram.requests.length = 0;
    slack.requests.length = 0;
    discord.requests.length = 0;
    slack.sockets.sent.length = 0;
    slack.sockets.acknowledged.length = 0;
    discord.gateway.received.length = 0;
  }
}

/** Every message that was answered there, in the order of the answers. */
export function answered(place: Place): readonly string[] {
  return place.answers().flatMap((text) => text.match(mark) ?? []);
}

function newMarks({ messages }: ModelRequest): readonly string[] {
  const spoken = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(spoken + 1).flatMap((message) => {
    if (message.role !== "user") return [];
    return message.content.flatMap((part) => (part.type === "text" ? (part.text.match(mark) ?? []) : []));
  });
}
