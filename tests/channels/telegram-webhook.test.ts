import { expect, test } from "vitest";
import { openTelegram } from "../../src/channels/telegram/open-telegram.ts";
import { telegramChannel } from "../../src/channels/telegram/telegram-channel.ts";
import { usualTimings } from "../../src/channels/telegram/timings.ts";
import { Settings } from "../../src/contract/settings.ts";
import { anna, startFakeTelegram } from "../fakes/channels/telegram-server.ts";
import { type ChannelSceneOptions, openChannelScene } from "../scenes/channels/channel-scene.ts";
import { eventually } from "../scenes/eventually.ts";

const message = {
  ...{ message_id: 7, date: 1_700_000_000, text: "hello" },
  ...{ from: { is_bot: false, ...anna }, chat: { id: 42, type: "private", first_name: "Anna" } },
};

async function webhookScene(options: ChannelSceneOptions = {}) {
  const telegram = await startFakeTelegram();
  const scene = await openChannelScene(
    {
      ...telegramChannel,
      open(base) {
        const gateway = { ...base.settings.gateway, publicUrl: "https://steward.example/home/" };
        return openTelegram(
          { ...base, settings: { ...base.settings, gateway } },
          { ...usualTimings, firstRetryMs: 20 },
        );
      },
    },
    {
      ...options,
      settings: { apiUrl: telegram.url, mode: "webhook" },
      secrets: { TELEGRAM_BOT_TOKEN: telegram.token },
    },
  );
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  const [route] = (await scene.channel.routes?.()) ?? [];
  return {
    ...scene,
    telegram,
    /** As Telegram calls; the answer's status. */
    async call(body: string, headers: Record<string, string>): Promise<number | undefined> {
      const request = { headers, rawBody: Buffer.from(body) };
      const answer = await route?.answer(request as unknown as Parameters<typeof route.answer>[0]);
      return answer && "status" in answer ? answer.status : undefined;
    },
    secret: () => String(telegram.webhook()?.secret_token),
  };
}

test("Telegram is told where to call and by which word it shows itself", async () => {
  const { telegram, secret, remembered } = await webhookScene();
  expect(telegram.webhook()).toMatchObject({ url: "https://steward.example/home/channels/telegram/webhook" });
  expect(secret()).toMatch(/^[0-9a-f]{64}$/);
  expect(remembered.get("webhookSecret")).toBe(secret());
  const again = await webhookScene({ remembered });
  expect(again.secret()).toBe(secret());
});

test("a call with the right word is answered only after the message was taken", async () => {
  let isFull = true;
  const { call, secret, taken } = await webhookScene({
    onTake() {
      if (isFull) throw new Error("the disk is full");
    },
  });
  const headers = { "x-telegram-bot-api-secret-token": secret() };
  const body = JSON.stringify({ update_id: 1, message });
  expect(await call(body, headers)).toBe(500);
  isFull = false;
  expect(await call(body, headers)).toBe(200);
  expect(taken).toMatchObject([{ text: "hello", key: "7" }]);
});

test("a call with a wrong word or none is turned away", async () => {
  const { call, taken } = await webhookScene();
  const body = JSON.stringify({ update_id: 1, message });
  expect(await call(body, {})).toBe(401);
  expect(await call(body, { "x-telegram-bot-api-secret-token": "guessed" })).toBe(401);
  expect(taken).toEqual([]);
});

test("what nobody can read is not asked for again", async () => {
  const { call, secret, taken } = await webhookScene();
  const headers = { "x-telegram-bot-api-secret-token": secret() };
  expect(await call("no JSON", headers)).toBe(200);
  expect(await call(JSON.stringify({ update_id: 2, poll: {} }), headers)).toBe(200);
  expect(taken).toEqual([]);
});

test("webhook mode asks for the address by which Telegram can reach Steward", () => {
  const settings = Settings.parse({ channels: { telegram: { enabled: true, mode: "webhook" } } });
  expect(telegramChannel.problem?.(settings)).toContain("gateway.publicUrl");
  expect(telegramChannel.problem?.(Settings.parse({}))).toBeUndefined();
});
