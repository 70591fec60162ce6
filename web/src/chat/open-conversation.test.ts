import { describe, expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import type { LiveSignal } from "../../../src/contract/wire/live-signal.ts";
import { ended, message, placed, started, step, turn, words, writing } from "../../../tests/scenes/conversation.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { openConversation } from "./open-conversation.ts";

type Answers = Record<string, (params: never) => unknown>;
const session = { sessionKey: "web--one", title: "One", messages: 1, lastAtMs: 0, lastSeq: 0, state: "idle" } as const;

function gatewayWith(answers: Answers) {
  const listeners = new Set<(followed: Followed) => void>();
  const calls: { name: string; params: unknown }[] = [];
  const link = {
    state: { value: "open", subscribe: () => () => {} },
    async call(name: string, params: unknown) {
      calls.push({ name, params });
      const answer = answers[name] ?? (name === "usage.get" ? () => ({ rows: [] }) : undefined);
      if (!answer) throw new CallFailed("lost", `nothing answers ${name}`);
      return await answer(params as never);
    },
    follow(listener: (followed: Followed) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastSeq: 0,
  } as unknown as GatewayLink;
  const kept = new Map<string, string>();
  const storage = {
    getItem: (place: string) => kept.get(place) ?? null,
    setItem: (place: string, value: string) => void kept.set(place, value),
    removeItem: (place: string) => void kept.delete(place),
  };
  const open = () =>
    openConversation({ link, storage, newKey: () => "k1", wait: () => Promise.resolve() }, "web--one", () => []);
  const tell = (followed: Followed) => {
    for (const listener of listeners) listener(followed);
  };
  return { open, tell, calls };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));
const eventsOf = (...happenings: Parameters<typeof placed>[0]) => placed(happenings) as Event[];

describe("opening", () => {
  test("shows what came during the reading once, and in its place", async () => {
    const all = eventsOf(message("hi"), started(), step("Hello!"), ended());
    const reading = Promise.withResolvers<unknown>();
    const { open, tell } = gatewayWith({ "sessions.get": () => reading.promise });
    const { state } = open();
    for (const event of all.slice(1)) tell(event);
    reading.resolve({ session, messages: [], events: all.slice(0, 3) });
    await settled();
    expect(words(state.value.conversation)).toEqual(["person: hi", "answer: Hello!", "cost: 120"]);
  });
  test("in the middle of a stream shows the step from its beginning, as the gateway tells it again", async () => {
    const reading = Promise.withResolvers<unknown>();
    const { open, tell } = gatewayWith({ "sessions.get": () => reading.promise });
    const { state } = open();
    tell({ ...turn, type: "live.text_reset", step: 0 } satisfies LiveSignal);
    tell(writing("Once upon"));
    reading.resolve({ session, messages: [], events: eventsOf(message("hi"), started()) });
    await settled();
    tell(writing(" a time"));
    expect(state.value.conversation.items.at(-1)).toMatchObject({ text: "Once upon a time", partial: false });
  });
  test("tries again when the connection breaks", async () => {
    const answers = [new CallFailed("lost", "gone"), { session, messages: [], events: eventsOf(message("hi")) }];
    const { open } = gatewayWith({
      "sessions.get": () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const { state } = open();
    await settled();
    expect(state.value.phase).toBe("ready");
  });
  test("says when there is no such conversation, and why another one cannot be read", async () => {
    const none = gatewayWith({ "sessions.get": () => Promise.reject(new CallFailed("not_found", "no")) }).open();
    const broken = gatewayWith({ "sessions.get": () => Promise.reject(new CallFailed("failed", "Disk full.")) }).open();
    await settled();
    expect(none.state.value.phase).toBe("missing");
    expect(broken.state.value).toMatchObject({ phase: "failed", problem: "Disk full." });
  });
});

test("earlier messages come in front, without repeating or missing any", async () => {
  const filler = Array.from({ length: 200 }, (_, index) => message(`later ${index}`));
  const all = eventsOf(message("first"), message("second"), ...filler);
  const { open, calls } = gatewayWith({
    "sessions.get": () => ({ session, messages: [], events: all.slice(-200) }),
    "chat.history": ({ beforeSeq }: { beforeSeq: number }) => ({
      messages: [],
      events: all.filter((event) => event.seq < beforeSeq),
    }),
  });
  const conversation = open();
  await settled();
  expect(conversation.state.value.earlier).toBe("some");
  await conversation.loadEarlier();
  const shown = conversation.state.value.conversation.waiting.map(({ text }) => text);
  expect(shown.slice(0, 3)).toEqual(["first", "second", "later 0"]);
  expect(shown).toHaveLength(202);
  expect(conversation.state.value.earlier).toBe("none");
  expect(calls.at(-1)).toMatchObject({ name: "chat.history", params: { beforeSeq: 3, maxEvents: 200 } });
});

test("a message goes out with its key, its files and what it takes the place of", async () => {
  const { open, calls } = gatewayWith({
    "sessions.get": () => ({ session, messages: [], events: [] }),
    "chat.send": () => ({ runId: "m", accepted: true, seq: 1 }),
  });
  const conversation = open();
  await settled();
  const uploads = [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==", bytes: 1 }];
  conversation.send({ text: "hi", uploads, replaces: 4 });
  await settled();
  expect(calls.at(-1)).toEqual({
    name: "chat.send",
    params: {
      sessionKey: "web--one",
      message: "hi",
      attachments: [{ name: "a.txt", mediaType: "text/plain", base64: "YQ==" }],
      idempotencyKey: "k1",
      replaces: 4,
    },
  });
});
