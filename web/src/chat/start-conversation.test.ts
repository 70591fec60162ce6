import { expect, test } from "vitest";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { openStart } from "./start-conversation.ts";

function scene(failures: number, choice = {}) {
  const calls: { name: string; params: unknown }[] = [];
  const started: string[] = [];
  const kept = new Map<string, string>();
  const link = {
    async call(name: string, params: unknown) {
      calls.push({ name, params });
      if (calls.length <= failures) throw new CallFailed("lost", "gone");
      return { sessionKey: "web--9" };
    },
  } as unknown as GatewayLink;
  const storage = {
    getItem: (place: string) => kept.get(place) ?? null,
    setItem: (place: string, value: string) => void kept.set(place, value),
    removeItem: (place: string) => void kept.delete(place),
  };
  let count = 0;
  const open = () =>
    openStart(
      { link, storage, newKey: () => `k${++count}`, wait: () => Promise.resolve() },
      {
        choice: () => ({ model: undefined, thinking: undefined, ...choice }),
        started: (sessionKey, message) => started.push(`${sessionKey}: ${message.text} (${message.key})`),
      },
    );
  return { open, calls, started };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));
const message = (text: string) => ({ text, uploads: [], afterSeq: 0 });

test("the first message makes one conversation, even when the connection breaks on the way", async () => {
  const { open, calls, started } = scene(2);
  open().add(message("hi"));
  await settled();
  expect(calls.map(({ params }) => params)).toEqual(
    Array.from({ length: 3 }, () => ({ channel: "web", idempotencyKey: "k1-session" })),
  );
  expect(started).toEqual(["web--9: hi (k1)"]);
});
test("a second message written before the conversation exists goes to the same one", async () => {
  const { open, calls, started } = scene(0);
  const outbox = open();
  outbox.add(message("one"));
  outbox.add(message("two"));
  await settled();
  expect(calls.map(({ name }) => name)).toEqual(["sessions.create"]);
  expect(started).toEqual(["web--9: one (k1)", "web--9: two (k2)"]);
});
test("what was chosen before is set before the message goes out", async () => {
  const { open, calls } = scene(0, { model: "a/one", thinking: "high" });
  open().add(message("hi"));
  await settled();
  expect(calls.at(-1)).toEqual({
    name: "sessions.configure",
    params: { sessionKey: "web--9", model: "a/one", thinking: "high" },
  });
});
