import { afterAll, beforeAll, test } from "vitest";
import type { GatewayClient } from "../../src/contract/wire/client.ts";
import { startNtfyServer } from "../fakes/channels/ntfy-server.ts";
import { type AskingPlatform, expectAskedOnce } from "../scenes/channels/kill-question-scene.ts";
import { type Moment, momentsOf } from "../scenes/channels/kill-scene.ts";
import { sample } from "../scenes/sample.ts";
import { type ModelProcess, startModelProcess } from "../scenes/steward-process.ts";

let model: ModelProcess;
beforeAll(async () => {
  model = await startModelProcess();
});
afterAll(() => model.stop());

type Ntfy = Awaited<ReturnType<typeof startNtfy>>;

const topic = "ann-phone";

/** The owner wishes at the terminal and is asked on the phone. */
async function startNtfy() {
  const server = await startNtfyServer();
  const pushed = () => server.on(topic).filter(({ event, actions }) => event === "message" && actions !== undefined);
  const removed = () => server.on(topic).flatMap((one) => (one.event === "message_delete" ? [one.sequence_id] : []));
  return {
    server,
    name: "ntfy",
    settings: { url: server.url, topic },
    environment: {},
    wish: (client: GatewayClient, number: number, message: string) =>
      client.call("chat.send", { sessionKey: `terminal--${number}`, message, idempotencyKey: `wish-${number}` }),
    questions: () =>
      pushed()
        .filter(({ sequence_id }) => !removed().includes(sequence_id))
        .map((one) => ({ text: one.message, press: () => server.press(one, "Approve") })),
    asked: () => pushed().map(({ message }) => message),
    letGo() {
      server.faults.length = 0;
    },
  } satisfies AskingPlatform & Record<string, unknown>;
}

function holdPush(how: "never answer" | "never answer after") {
  return ({ server }: Ntfy) => {
    const before = server.held;
    server.faults.push({ on: "publish", how });
    return () => server.held > before;
  };
}

const steps = "approval.asked reply.written reply.sending reply.sent reply.delivered approval.answered question.closed";

const moments: readonly Moment<Ntfy>[] = [
  ...momentsOf([...steps.split(" "), "note last press"], 1),
  { name: "right after the second question is on the phone", killAt: "reply.sent:after:2" },
  { name: "before the server takes a push", hold: holdPush("never answer") },
  { name: "when the server has taken a push and not said so", hold: holdPush("never answer after") },
];

for (const moment of sample(moments, 4)) {
  test(`killed ${moment.name}, a question is on the phone once, and what it asks for is done once`, async ({
    annotate,
  }) => {
    const count = await expectAskedOnce(await startNtfy(), moment, { modelPort: model.port });
    await annotate(JSON.stringify(count));
  });
}
