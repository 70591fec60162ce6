import { afterAll, beforeAll, test } from "vitest";
import type { Shown } from "../fakes/channels/telegram-chats.ts";
import { startFakeTelegram } from "../fakes/channels/telegram-server.ts";
import { type AskingPlatform, expectAskedOnce } from "../scenes/channels/kill-question-scene.ts";
import {
  expectAnsweredOnce,
  type Moment,
  momentsOf,
  momentsOfAnAnswer,
  type TalkingPlatform,
} from "../scenes/channels/kill-scene.ts";
import { sample } from "../scenes/sample.ts";
import { type ModelProcess, startModelProcess } from "../scenes/steward-process.ts";

let model: ModelProcess;
beforeAll(async () => {
  model = await startModelProcess();
});
afterAll(() => model.stop());

type Telegram = { telegram: Awaited<ReturnType<typeof startFakeTelegram>> };

/** A place is a chat with one person, whose number it has. */
async function startTelegram() {
  const telegram = await startFakeTelegram();
  return {
    telegram,
    name: "telegram",
    settings: { apiUrl: telegram.url, allowedUserIds: ["42", "43", "44"] },
    environment: { TELEGRAM_BOT_TOKEN: telegram.token },
    places: ["42", "43"],
    newPlace: "44",
    say: (place: string, words: string) =>
      telegram.say(Number(place), words, { from: { id: Number(place), first_name: "Anna" } }),
    shown: (place: string) => telegram.messages(Number(place)).flatMap(({ isOurs, text }) => (isOurs ? [text] : [])),
    letGo: telegram.mend,
  } satisfies TalkingPlatform & Record<string, unknown>;
}

function holdNext(method: string, when: "before" | "after") {
  return ({ telegram }: Telegram) => {
    const before = telegram.held();
    telegram.fail(method, { kind: "silence", when });
    return () => telegram.held() > before;
  };
}

const moments: readonly Moment<TalkingPlatform & Telegram>[] = [
  ...momentsOfAnAnswer,
  { name: "before Telegram takes an answer", hold: holdNext("sendMessage", "before") },
  { name: "when Telegram has taken an answer and not said so", hold: holdNext("sendMessage", "after") },
  { name: "before Telegram hears what has been taken", hold: holdNext("getUpdates", "before") },
  { name: "when Telegram has sent what is new and it has not arrived", hold: holdNext("getUpdates", "after") },
];

for (const moment of sample(moments, 4)) {
  test(`killed ${moment.name}, Telegram shows every answer once and in order, or marks the second one`, async ({
    annotate,
  }) => {
    const platform = await startTelegram();
    const count = await expectAnsweredOnce(platform, moment, { modelPort: model.port, mayRepeat: true });
    await annotate(JSON.stringify(count));
  });
}

/** Each wish comes from a person of its own, since who writes on instead of answering withdraws the question. */
async function startAskingTelegram() {
  const { telegram, name, settings, environment, letGo, say } = await startTelegram();
  const said = new Set<number>();
  const isQuestion = (text: string) => text.includes("May I do this");
  const isAsking = ({ isOurs, text }: Shown) => isOurs && isQuestion(text);
  const ours = () =>
    [42, 43, 44].flatMap((id) => telegram.messages(id).flatMap((one) => (isAsking(one) ? { ...one, person: id } : [])));
  return {
    ...{ telegram, name, settings, environment, letGo },
    wish(_client: unknown, number: number, words: string) {
      if (!said.has(number)) say(String(41 + number), words);
      said.add(number);
    },
    questions: () =>
      ours().flatMap(({ id, text, buttons, person }) => {
        const yes = buttons.flat().find((button) => button.text === "Approve");
        const from = { id: person, first_name: "Anna" };
        return yes ? [{ text, press: () => telegram.press(id, yes.callback_data, from) }] : [];
      }),
    // as they were sent: the answer below a question takes the place of the mark
    asked: () =>
      telegram.asked("sendMessage").flatMap(({ body }) => (isQuestion(String(body.text)) ? [String(body.text)] : [])),
  } satisfies AskingPlatform & Record<string, unknown>;
}

const questionMoments: readonly Moment<AskingPlatform & Telegram>[] = [
  ...momentsOf(["approval.asked", "reply.sending", "reply.sent", "approval.answered", "question.closed"], 1),
  { name: "before Telegram takes a question", hold: holdNext("sendMessage", "before") },
  { name: "when Telegram has taken a question and not said so", hold: holdNext("sendMessage", "after") },
  { name: "before Telegram hears of a press that was taken", hold: holdNext("answerCallbackQuery", "before") },
];

for (const moment of sample(questionMoments, 2)) {
  test(`killed ${moment.name}, a question on Telegram is answered once, and what it asks for done once`, async ({
    annotate,
  }) => {
    const platform = await startAskingTelegram();
    const count = await expectAskedOnce(platform, moment, { modelPort: model.port, mayRepeat: true });
    await annotate(JSON.stringify(count));
  });
}
