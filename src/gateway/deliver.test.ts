import { expect, onTestFinished, test } from "vitest";
import { storeIn } from "../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../tests/scenes/temporary-folder.ts";
import { SendFailure } from "../contract/channel/outgoing-message.ts";
import type { ReplyOutlet, SendHow } from "../contract/channel/reply-outlet.ts";
import type { EventOf } from "../contract/event.ts";
import { conversationsToDeliver } from "../store/channels/outbox.ts";
import type { Store } from "../store/open-store.ts";
import { openDelivery } from "./deliver.ts";

const channel = "postcard";

type Send = (reply: EventOf<"reply.written">, piece: number, how: SendHow) => Promise<unknown>;

function open(store: Store, send: Send, outlet: Partial<ReplyOutlet> = {}, nowMs = Date.now) {
  const troubles: string[] = [];
  const pauses: number[] = [];
  let wake = () => {};
  const delivery = openDelivery({
    senders: {
      [channel]: {
        pieces: async () => 1,
        dropsRepeats: true,
        async send(reply, piece, how) {
          await send(reply, piece, how);
          return { ref: `${reply.seq}.${piece}` };
        },
        ...outlet,
      },
    },
    ...store,
    nowMs,
    lateAfterMinutes: 10,
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
  const cutOff = open(first, async ({ text }, _piece, { signal }) => {
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

test("a reply of several pieces goes on with the piece it had come to", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  const sent: string[] = [];
  const three = { pieces: async () => 3 };
  const cut = open(
    first,
    async ({ text }, piece, { signal }) => {
      if (piece === 2)
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut"))));
      sent.push(`${text} ${piece}`);
    },
    three,
  );
  await write(first, "postcard--ada", "long");
  await expect.poll(() => sent).toEqual(["long 0", "long 1"]);
  await cut.close();
  await first.close();
  const second = await storeIn(home);
  open(second, async ({ text }, piece) => void sent.push(`${text} ${piece}`), three);
  await expect.poll(() => delivered(second)).toHaveLength(1);
  expect(sent).toEqual(["long 0", "long 1", "long 2"]);
});

test("a piece of which nobody knows whether it arrived says so, unless the platform can be asked or drops it", async () => {
  const inDoubt = async (outlet: Partial<ReplyOutlet>) => {
    const store = await storeIn(await temporaryFolder());
    const marks: boolean[] = [];
    const { pauses, passTime } = open(
      store,
      async (_reply, _piece, { mayRepeat }) => {
        marks.push(mayRepeat);
        if (marks.length === 1) throw new SendFailure("the line broke", { retry: "again", arrived: "maybe" });
      },
      outlet,
    );
    await write(store, "postcard--ada", "hello");
    await expect.poll(() => pauses).toHaveLength(1);
    passTime();
    await expect.poll(() => delivered(store)).toHaveLength(1);
    const sent = (await store.log.since(0, 100)).filter((event) => event.type === "reply.sent");
    return { marks, sent };
  };
  expect(await inDoubt({ dropsRepeats: false })).toMatchObject({ marks: [false, true], sent: [{ mayRepeat: true }] });
  expect((await inDoubt({ dropsRepeats: true })).marks).toEqual([false, false]);
  const found = await inDoubt({ dropsRepeats: false, find: async () => ({ ref: "found" }) });
  expect(found).toMatchObject({ marks: [false], sent: [{ ref: "found" }] });
  expect((await inDoubt({ dropsRepeats: false, find: async () => undefined })).marks).toEqual([false, false]);
  const missed = await inDoubt({ dropsRepeats: false, find: async () => "unknown" });
  expect(missed).toMatchObject({ marks: [false, true], sent: [{ mayRepeat: true }] });
});

test("what surely has not arrived is simply sent again, after the time that the platform asks for", async () => {
  const store = await storeIn(await temporaryFolder());
  const marks: boolean[] = [];
  const { pauses, passTime, troubles } = open(
    store,
    async (_reply, _piece, { mayRepeat }) => {
      marks.push(mayRepeat);
      if (marks.length === 1)
        throw new SendFailure("too many", { retry: "again", arrived: "no", retryAfterMs: 42_000 });
    },
    { dropsRepeats: false },
  );
  await write(store, "postcard--ada", "hello");
  await expect.poll(() => pauses).toEqual([42_000]);
  passTime();
  await expect.poll(() => delivered(store)).toHaveLength(1);
  expect([marks, troubles]).toEqual([[false, false], []]);
});

test("a reply that can never be delivered is told, and holds up none behind it", async () => {
  const store = await storeIn(await temporaryFolder());
  const sent: string[] = [];
  const { troubles } = open(store, async ({ text }) => {
    if (text === "lost") throw new SendFailure("The chat is gone.", { retry: "never", arrived: "no" });
    sent.push(text);
  });
  await write(store, "postcard--ada", "lost");
  await write(store, "postcard--ada", "next");
  await expect.poll(() => delivered(store)).toHaveLength(2);
  expect([sent, troubles]).toEqual([["next"], [expect.stringContaining("stays in the conversation")]]);
  const [first] = (await store.log.since(0, 100)).filter((event) => event.type === "reply.delivered");
  expect(first).toMatchObject({ failed: "The chat is gone." });
});

test("an answer that waited for long is marked as late", async () => {
  const store = await storeIn(await temporaryFolder());
  await write(store, "postcard--ada", "hello");
  const late: boolean[] = [];
  open(
    store,
    async (_reply, _piece, how) => void late.push(how.late),
    {},
    () => Date.now() + 3_600_000,
  );
  await expect.poll(() => delivered(store)).toHaveLength(1);
  expect(late).toEqual([true]);
});
