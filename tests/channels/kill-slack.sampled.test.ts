import { afterAll, beforeAll, onTestFinished, test } from "vitest";
import { startFakeSlack } from "../fakes/channels/slack-server.ts";
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

type Slack = Awaited<ReturnType<typeof startSlack>>;

/** A place is a direct chat, or one and the message that began a thread there. */
async function startSlack() {
  const slack = await startFakeSlack();
  onTestFinished(() => slack.close());
  // what began the threads was said by Steward, and so is answered by nobody
  const known = slack.keep({ channel: "D1", user: "UBOT", text: "the cake" });
  const fresh = slack.keep({ channel: "D2", user: "UBOT", text: "the tea" });
  return {
    slack,
    name: "slack",
    settings: { apiUrl: slack.apiUrl, allowedUserIds: ["UADA", "UBEN"] },
    environment: { SLACK_BOT_TOKEN: slack.tokens.bot, SLACK_APP_TOKEN: slack.tokens.app },
    places: ["D1", `D1 ${known}`],
    newPlace: `D2 ${fresh}`,
    say(place: string, words: string) {
      const [channel = "", thread] = place.split(" ");
      return slack.say({ channel, text: words, user: channel === "D1" ? "UADA" : "UBEN", ...(thread && { thread }) });
    },
    shown(place: string) {
      const [channel = "", thread] = place.split(" ");
      const here = slack.messages(channel).filter((message) => message.thread_ts === thread);
      return here.flatMap(({ user, text }) => (user === "UBOT" ? [text] : []));
    },
    letGo() {
      slack.faults.length = 0;
      slack.sockets.faults.losesAcknowledgements = false;
    },
  } satisfies TalkingPlatform & Record<string, unknown>;
}

function holdAnswer(when: "before" | "after") {
  return ({ slack }: Slack) => {
    const before = slack.held();
    slack.faults.push({ method: "chat.postMessage", kind: "silent", when });
    return () => slack.held() > before;
  };
}

function loseAcknowledgements({ slack }: Slack) {
  slack.sockets.faults.losesAcknowledgements = true;
  return () => slack.sockets.lostAcknowledgements() > 2;
}

const moments: readonly Moment<Slack>[] = [
  ...momentsOfAnAnswer,
  ...momentsOf(["note seen"]),
  { name: "before Slack takes an answer", hold: holdAnswer("before") },
  { name: "when Slack has taken an answer and not said so", hold: holdAnswer("after") },
  { name: "before Slack hears what has been taken", hold: loseAcknowledgements },
];

for (const moment of sample(moments, 4)) {
  test(`killed ${moment.name}, Slack shows every answer once and in order`, async ({ annotate }) => {
    const count = await expectAnsweredOnce(await startSlack(), moment, { modelPort: model.port });
    await annotate(JSON.stringify(count));
  });
}
