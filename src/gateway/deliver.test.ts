import { expect, onTestFinished, test } from "vitest";
import { storeIn } from "../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import type { EventOf } from "../contract/event.ts";
import type { SendReply } from "../contract/room/send-reply.ts";
import type { Store } from "../store/open-store.ts";
import { conversationsToDeliver } from "../store/tables/outbox.ts";
import { openDelivery } from "./deliver.ts";

const channel = "postcard";

function open(store: Store, send: SendReply) {
  const troubles: string[] = [];
  const pauses: number[] = [];
  let wake = () => {};
  const delivery = openDelivery({
    senders: { [channel]: send },
    ...store,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        pauses.push(ms);
        wake = resolve;
        signal.addEventListener("abort", () => resolve());
      }),
    onTrouble: (message) => void troubles.push(message),
  });
  onTestFinished(() => delivery.close());
  return { ...delivery, troubles, pauses, passTime: () => wake() };
}

function write({ log }: Store, conversation: string, text: string, by = channel) {
  return log.append([{ type: "reply.written", conversation, channel: by, text, attachments: [] }]);
}

async function delivered({ log }: Store) {
  const events = await log.since(0, 1_000);
  return events.flatMap((event) => (event.type === "reply.delivered" ? [event.reply] : []));
}

test("replies of a conversation go out in order and are marked", async () => {
  const store = await storeIn(await temporaryFolder());
  const sent: string[] = [];
  await write(store, "postcard--ada", "one");
  open(store, async ({ text }) => void sent.push(text));
  await write(store, "postcard--ada", "two");
  await write(store, "postcard--ada", "three");
  await expect.poll(() => delivered(store)).toHaveLength(3);
  expect(sent).toEqual(["one", "two", "three"]);
});

test("a conversation whose replies cannot be delivered does not hold up another one, and keeps its order", async () => {
  const store = await storeIn(await temporaryFolder());
  const sent: string[] = [];
  let isReachable = false;
  const delivery = open(store, async ({ conversation, text }) => {
    if (conversation === "postcard--ada" && !isReachable) throw new Error("no such street");
    sent.push(text);
  });
  await write(store, "postcard--ada", "held up");
  await write(store, "postcard--ada", "behind it");
  await write(store, "postcard--bob", "on its way");
  await expect.poll(() => sent).toEqual(["on its way"]);
  await expect.poll(() => delivery.pauses).toHaveLength(1);
  isReachable = true;
  delivery.passTime();
  await expect.poll(() => delivered(store)).toHaveLength(3);
  expect(sent).toEqual(["on its way", "held up", "behind it"]);
});

test("the pauses between attempts double up to five minutes, and start anew after a success", async () => {
  const store = await storeIn(await temporaryFolder());
  let failuresLeft = 11;
  const delivery = open(store, async () => {
    if (failuresLeft === 0) return;
    failuresLeft -= 1;
    throw new Error("closed today");
  });
  await write(store, "postcard--ada", "patience");
  for (let failures = 1; failures <= 11; failures++) {
    await expect.poll(() => delivery.pauses).toHaveLength(failures);
    delivery.passTime();
  }
  expect(delivery.pauses.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(delivery.troubles).toHaveLength(9);
  await expect.poll(() => delivered(store)).toHaveLength(1);
  failuresLeft = 1;
  await write(store, "postcard--ada", "again");
  await expect.poll(() => delivery.pauses.at(-1)).toBe(1_000);
});

test("a reply that was sent but not marked before the end is sent again by the next process, and no other", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  const sent: string[] = [];
  const untilTheEnd = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut off"))));
  const cutOff = open(first, async ({ text }: EventOf<"reply.written">, signal) => {
    sent.push(text);
    if (text === "second") await untilTheEnd(signal);
  });
  await write(first, "postcard--ada", "first");
  await write(first, "postcard--ada", "second");
  await expect.poll(() => sent).toEqual(["first", "second"]);
  await cutOff.close();
  await first.close();
  const second = await storeIn(home);
  open(second, async ({ text }) => void sent.push(text));
  await expect.poll(() => delivered(second)).toHaveLength(2);
  expect(sent).toEqual(["first", "second", "second"]);
});

test("a channel whose clients follow the log needs no delivery, and nobody marks its replies", async () => {
  const store = await storeIn(await temporaryFolder());
  const sent: string[] = [];
  open(store, async ({ text }) => void sent.push(text));
  await write(store, "web--ada", "read on the page", "web");
  await write(store, "postcard--ada", "sent");
  await expect.poll(() => delivered(store)).toEqual([2]);
  expect(sent).toEqual(["sent"]);
  expect(await conversationsToDeliver(store.database, ["web"])).toEqual([]);
});
