import { afterAll, beforeAll, test } from "vitest";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { bo, newcomer, startFakeDiscord } from "../fakes/channels/discord-server.ts";
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

type Discord = Awaited<ReturnType<typeof startDiscord>>;

/** A place is a channel: a direct one, and one of a server that is a group of Steward's. */
async function startDiscord() {
  const discord = await startFakeDiscord();
  let names = 0;
  return {
    discord,
    name: "discord",
    settings: { apiUrl: discord.apiUrl, allowedUserIds: [bo.id, newcomer.id] },
    environment: { DISCORD_BOT_TOKEN: discord.token },
    prepare: (client: GatewayClient) =>
      client.call("groups.register", {
        ...{ channel: "discord", address: { chat: discord.general }, title: "General" },
        options: { needsTrigger: false },
      }),
    places: [discord.direct, discord.general],
    newPlace: discord.newcomersDirect,
    // with another name each time, so that the direct chat is met anew
    say: (place: string, words: string) =>
      discord.say(place, words, {
        author: { ...(place === discord.newcomersDirect ? newcomer : bo), global_name: `Bo the ${++names}.` },
      }),
    shown: (place: string) =>
      discord.messages(place).flatMap(({ author, content }) => (author.id === discord.me.id ? [content] : [])),
    letGo() {
      discord.faults.length = 0;
      // as after some minutes: Discord does not drop a second one any more
      discord.forgetNonces();
    },
  } satisfies TalkingPlatform & Record<string, unknown>;
}

function holdAnswer(what: "silence" | "silence after") {
  return ({ discord }: Discord) => {
    const before = discord.held();
    // the sign that somebody is typing lies below the same address
    discord.faults.push({ on: `POST /channels/${discord.direct}/messages`, what });
    return () => discord.held() > before;
  };
}

const moments: readonly Moment<Discord>[] = [
  ...momentsOfAnAnswer,
  ...momentsOf(["note seen", "note sending"]),
  { name: "before Discord takes an answer", hold: holdAnswer("silence") },
  { name: "when Discord has taken an answer and not said so", hold: holdAnswer("silence after") },
];

for (const moment of sample(moments, 4)) {
  test(`killed ${moment.name}, Discord shows every answer once and in order`, async ({ annotate }) => {
    const count = await expectAnsweredOnce(await startDiscord(), moment, { modelPort: model.port });
    await annotate(JSON.stringify(count));
  });
}
