// More messages at once than any person writes, on three platforms: nothing is lost, nothing is swapped, and nothing piles up.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { tooManyRequests } from "../fakes/channels/telegram-server.ts";
import { answered, openBurst, type Place } from "../scenes/channels/burst-scene.ts";
import { eventually } from "../scenes/eventually.ts";
import { testTool } from "../scenes/tools.ts";

async function allAnswered(marks: ReadonlyMap<Place, readonly string[]>): Promise<void> {
  for (const [place, said] of marks) await eventually(() => answered(place).slice(-said.length), [...said]);
}

test("two hundred messages at once are all answered, each chat in its order", async () => {
  const scene = await openBurst();
  const marks = scene.burst(20);
  await allAnswered(marks);
  expect(marks.size * 20).toBe(200);
  const events = await scene.events();
  expect(events.filter(({ type }) => type === "message.received")).toHaveLength(200);
  expect(events.filter(({ type }) => type === "message.refused")).toEqual([]);
  expect(scene.slack.sockets.unacknowledged()).toBe(0);
  expect(scene.troubles).toEqual([]);
});

test("whoever writes more than may wait is told so each time, and everything else is answered", async () => {
  const gate = Promise.withResolvers<string>();
  const slow = testTool({ run: () => gate.promise });
  const scene = await openBurst({
    people: 1,
    settings: { queue: { maxWaiting: 5 } },
    tools: [slow],
    script: ({ messages }) =>
      messages.some(({ role }) => role === "assistant")
        ? {
            text: `I have read ${JSON.stringify(messages)
              .match(/m\d+\b/g)
              ?.join(" ")}`,
          }
        : { text: "", calls: [{ tool: "note", arguments: { value: "x" } }] },
  });
  const chosen = [...scene.onTelegram, ...scene.onSlack, scene.onDiscord];
  const first = scene.burst(1, chosen);
  await eventually(() => slow.runs.length, chosen.length);
  const rest = scene.burst(12, chosen);
  await scene.untilEvent("message.refused", 7 * chosen.length);
  gate.resolve("done");
  for (const place of chosen) {
    const said = [...(first.get(place) ?? []), ...(rest.get(place) ?? [])];
    await eventually(() => [...new Set(answered(place))], said.slice(0, 6));
    expect(place.answers().filter((text) => text.startsWith("Messages limit reached"))).toHaveLength(7);
    const kept = (await scene.events()).flatMap((event) =>
      event.conversation === place.conversation &&
      (event.type === "message.received" || event.type === "message.refused")
        ? [event.text]
        : [],
    );
    expect(kept).toEqual(said);
  }
  expect(scene.troubles).toEqual([]);
});

test("a chat to which nothing can be sent holds up no other, and gets all of it in order once it can", async () => {
  const scene = await openBurst({ people: 3 });
  const [broken, ...others] = scene.places;
  if (!broken) throw new Error("there is nobody");
  const refusal = { kind: "refuse", status: 502, description: "Bad Gateway" } as const;
  scene.telegram.fail("sendMessage 301", refusal, 1_000);
  const marks = scene.burst(10);
  await allAnswered(new Map(others.map((place) => [place, marks.get(place) ?? []])));
  await eventually(() => sendsTo301(scene).length > 1);
  expect(broken.answers()).toEqual([]);
  scene.telegram.mend();
  // one whose answer was a failure may have arrived all the same, and says so
  await eventually(() => answered(broken), [...(marks.get(broken) ?? [])]);
});

test("a chat that asks for an hour's patience is left alone meanwhile, and the others are not", async () => {
  const scene = await openBurst({ people: 3 });
  const [patient, ...others] = scene.places;
  if (!patient) throw new Error("there is nobody");
  scene.telegram.fail("sendMessage 301", tooManyRequests(3_600), 1_000);
  scene.sayTo(patient);
  await eventually(() => sendsTo301(scene).length, 1);
  for (let round = 1; round <= 3; round++) {
    scene.sayTo(patient);
    await allAnswered(scene.burst(5, others));
    await eventually(async () => (await repliesIn(scene, patient)).length > round);
  }
  expect(sendsTo301(scene)).toHaveLength(1);
  expect(patient.answers()).toEqual([]);
  expect(scene.troubles).toEqual([]);
});

test("a chat that asks for a moment's patience gets each answer once, unmarked and in order", async () => {
  const scene = await openBurst({ people: 2 });
  const [patient] = scene.places;
  if (!patient) throw new Error("there is nobody");
  scene.telegram.fail("sendMessage 301", tooManyRequests(1), 2);
  const marks = scene.burst(6);
  await allAnswered(marks);
  expect(answered(patient)).toEqual(marks.get(patient));
  expect(sendsTo301(scene)).toHaveLength(patient.answers().length + 2);
  expect(patient.answers().join()).not.toContain("repeat");
});

test("what comes and is answered leaves nothing behind in memory", async () => {
  // each burst is written by other people, as well as by the same ones on the other platforms
  const [bursts, each] = [6, 8];
  const scene = await openBurst({ people: 7 * bursts });
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heldBytes: number[] = [];
  for (let burst = 0; burst < bursts; burst++) {
    const writers = [...scene.onTelegram.slice(7 * burst, 7 * (burst + 1)), ...scene.onSlack, scene.onDiscord];
    await allAnswered(scene.burst(each, writers));
    scene.forgetRecords();
    collectGarbage();
    heldBytes.push(process.memoryUsage().heapUsed);
  }
  const [, second = 0] = heldBytes;
  const megabytes = heldBytes.map((bytes) => bytes / 1e6);
  expect(((heldBytes.at(-1) ?? 0) - second) / 1e6, `${megabytes}`).toBeLessThan(8);
  expect(scene.troubles).toEqual([]);
});

/** Every try counts, also one that was refused. */
function sendsTo301({ telegram }: Pick<Awaited<ReturnType<typeof openBurst>>, "telegram">) {
  return telegram.asked("sendMessage").filter(({ body }) => String(body.chat_id) === "301");
}

async function repliesIn({ events }: Pick<Awaited<ReturnType<typeof openBurst>>, "events">, { conversation }: Place) {
  return (await events()).filter((event) => event.type === "reply.written" && event.conversation === conversation);
}
