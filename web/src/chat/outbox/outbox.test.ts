import { expect, test } from "vitest";
import type { EventOf } from "../../../../src/contract/event.ts";
import { CallFailed } from "../../gateway/gateway-link.ts";
import { type Outbox, openOutbox, type Receipt, stillUnseen } from "./outbox.ts";
import { readUnsent, storeUnsent, type TabStorage, type UnsentMessage } from "./stored-outbox.ts";

function tabStorage(roomFor = Number.POSITIVE_INFINITY): TabStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (place) => kept.get(place) ?? null,
    setItem(place, value) {
      if (value.length > roomFor) throw new DOMException("full", "QuotaExceededError");
      kept.set(place, value);
    },
    removeItem: (place) => kept.delete(place),
  };
}

type Answer = Receipt | Error;
function scene(answers: Answer[], storage = tabStorage()) {
  const sent: UnsentMessage[] = [];
  const waits: number[] = [];
  const keys = ["k1", "k2", "k3", "k4"];
  const outbox = openOutbox(
    {
      async send(message) {
        sent.push(message);
        const answer = answers.shift() ?? new CallFailed("lost", "no answer was planned");
        if (answer instanceof Error) throw answer;
        return answer;
      },
      storage,
      newKey: () => keys.shift() ?? "none left",
      wait(ms) {
        waits.push(ms);
        return answers.length > 0 ? Promise.resolve() : new Promise(() => {});
      },
    },
    "web--one",
  );
  return { outbox, sent, waits, storage };
}
const message = (text: string) => ({ text, uploads: [], afterSeq: 4 });
const settled = () => new Promise((resolve) => setTimeout(resolve));
function shown(outbox: Outbox, seq: number, text: string): void {
  outbox.shown({ type: "message.received", seq, text } as EventOf<"message.received">);
}

test("a message leaves the outbox when its event has been shown", async () => {
  const { outbox } = scene([{ accepted: true, seq: 7 }]);
  outbox.add(message("hi"));
  await settled();
  expect(outbox.messages.value).toMatchObject([{ text: "hi", seq: 7 }]);
  shown(outbox, 7, "hi");
  expect(outbox.messages.value).toEqual([]);
});
test("an event that comes before the answer counts as well", async () => {
  const { outbox } = scene([{ accepted: true, seq: 7 }]);
  outbox.add(message("hi"));
  shown(outbox, 7, "hi");
  await settled();
  expect(outbox.messages.value).toEqual([]);
});
test("a broken connection repeats the message under the same key, waiting a little longer each time", async () => {
  const lost = new CallFailed("lost", "gone");
  const { outbox, sent, waits } = scene([lost, lost, lost, { accepted: true, seq: 7 }]);
  outbox.add(message("hi"));
  await settled();
  expect(sent.map(({ key }) => key)).toEqual(["k1", "k1", "k1", "k1"]);
  expect(waits).toEqual([500, 1000, 2000]);
});
test("messages go out in the order they were written", async () => {
  const lost = new CallFailed("lost", "gone");
  const { outbox, sent } = scene([lost, { accepted: true, seq: 7 }, { accepted: true, seq: 8 }]);
  outbox.add(message("one"));
  outbox.add(message("two"));
  await settled();
  expect(sent.map(({ text }) => text)).toEqual(["one", "one", "two"]);
});
test("a message that fails says why and can be sent again", async () => {
  const { outbox, sent } = scene([new CallFailed("invalid", "Too long."), { accepted: true, seq: 7 }]);
  outbox.add(message("hi"));
  await settled();
  expect(outbox.messages.value).toMatchObject([{ state: "failed", problem: "Too long." }]);
  outbox.retry("k1");
  await settled();
  expect(sent.map(({ key }) => key)).toEqual(["k1", "k1"]);
  expect(outbox.messages.value).toMatchObject([{ state: "sending", seq: 7 }]);
});
test("a message that was refused goes out under a new key, for the old one stays refused", async () => {
  const { outbox, sent } = scene([
    { accepted: false, seq: 7, reason: "Too many wait." },
    { accepted: true, seq: 9 },
  ]);
  outbox.add(message("hi"));
  await settled();
  expect(outbox.messages.value).toMatchObject([{ state: "failed", problem: "Too many wait." }]);
  outbox.retry("k1");
  await settled();
  expect(sent.map(({ key }) => key)).toEqual(["k1", "k2"]);
});
test("after a reload an unacknowledged message is sent again under its old key", async () => {
  const first = scene([]);
  first.outbox.add(message("hi"));
  await settled();
  const second = scene([{ accepted: true, seq: 7 }], first.storage);
  await settled();
  expect(second.sent).toMatchObject([{ key: "k1", text: "hi" }]);
  expect(readUnsent(first.storage, "web--one")).toEqual([]);
});
test("files that do not fit into the tab's storage are not silently left out after a reload", async () => {
  const storage = tabStorage(400);
  const upload = { name: "a.png", mediaType: "image/png", base64: "A".repeat(1000), bytes: 750 };
  storeUnsent(storage, "web--one", [
    { key: "k0", text: "look", uploads: [upload], replaces: undefined, afterSeq: 4, lostUploads: 0 },
  ]);
  const { outbox, sent } = scene([{ accepted: true, seq: 7 }], storage);
  await settled();
  expect(sent).toEqual([]);
  expect(outbox.messages.value[0]?.problem).toContain("too large to survive the reload");
  expect(outbox.withdraw("k0")?.text).toBe("look");
  expect(outbox.messages.value).toEqual([]);
});
test("what is already shown as a message is not shown as on its way too", () => {
  const out = (key: string, text: string, seq?: number) => ({
    ...{ key, text, uploads: [], replaces: undefined, afterSeq: 4, lostUploads: 0, problem: undefined },
    seq,
    state: "sending" as const,
  });
  const received = [{ seq: 5, text: "hi" }];
  expect(stillUnseen([out("a", "hi"), out("b", "hi")], received).map(({ key }) => key)).toEqual(["b"]);
  expect(stillUnseen([out("a", "hi")], [{ seq: 3, text: "hi" }]), "said before").toHaveLength(1);
  expect(stillUnseen([out("a", "hi", 6)], received).map(({ key }) => key)).toEqual(["a"]);
});
