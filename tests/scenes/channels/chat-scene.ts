// The program with Telegram switched on, its model scripted and the platform on loopback.
import type { Base } from "../../../src/assistant.ts";
import { channelsRoom } from "../../../src/channels/channels-room.ts";
import type { RoomDefinition } from "../../../src/contract/room/room.ts";
import { settingsRoom } from "../../../src/settings/settings-room.ts";
import { tasksRoom } from "../../../src/tasks/tasks-room.ts";
import { filesRoom } from "../../../src/tools/files/files-room.ts";
import { messagesRoom } from "../../../src/tools/messages/messages-room.ts";
import { shellRoom } from "../../../src/tools/shell/shell-room.ts";
import { undoRoom } from "../../../src/tools/undo/undo-room.ts";
import { anna, startFakeTelegram } from "../../fakes/channels/telegram-server.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";
import { eventually } from "../eventually.ts";
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../scripted-model.ts";

export { anna };

export type ChatOptions = Omit<AssistantOptions, "model"> & {
  script?: readonly ScriptedAnswer[] | Parameters<typeof scriptedModel>[0];
  /** Ids of those who may talk as the owner; by default Anna. */
  allowed?: readonly string[];
  channels?: Record<string, unknown>;
  model?: ScriptedModel;
  telegram?: Awaited<ReturnType<typeof startFakeTelegram>>;
};

/** Somebody who is no owner. */
export const bert = { id: 77, first_name: "Bert" };
export const family = -1_000;

/** A model that wants to write a file, which asks, and says this afterwards. */
export const asksToWrite = (answer: string): ScriptedAnswer[] => [
  { text: "", calls: [{ tool: "write", arguments: { path: "a.txt", content: "milk" } }] },
  { text: answer },
];

export async function openChat({ script = [{ text: "Hello Anna." }], allowed = ["42"], ...options }: ChatOptions = {}) {
  const telegram = options.telegram ?? (await startFakeTelegram());
  const model = options.model ?? scriptedModel(script);
  const rooms: readonly RoomDefinition<Base>[] = [
    settingsRoom,
    filesRoom,
    undoRoom,
    messagesRoom,
    shellRoom,
    tasksRoom,
    channelsRoom,
  ] as unknown as readonly RoomDefinition<Base>[];
  const assistant = await openAssistant({
    ...options,
    model,
    rooms: [...rooms, ...(options.rooms ?? [])],
    environment: { TELEGRAM_BOT_TOKEN: telegram.token, ...options.environment },
    settings: {
      agent: { name: "Andy" },
      ...options.settings,
      channels: {
        telegram: { enabled: true, apiUrl: telegram.url, allowedUserIds: [...allowed] },
        askElsewhereAfterSeconds: 0,
        ...options.channels,
      },
    },
  });
  return {
    ...assistant,
    telegram,
    model,
    /** What the chat shows, as words. */
    shown: (chat = anna.id) =>
      telegram
        .messages(chat)
        .filter(({ isOurs }) => isOurs)
        .map(({ text }) => text),
    until: async (look: () => unknown) => eventually(async () => Boolean(await look())),
    untilEvent: assistant.until,
    /** The text of everything that a model has been told. */
    told: () => model.requests.map((request) => JSON.stringify(request.messages)),
  };
}
