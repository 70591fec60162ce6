import { expect, test } from "vitest";
import type { EventOf } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import { openWatched } from "../state/watched.ts";
import { followTaskNews } from "./task-news.ts";

const tea = { id: "t1", title: "Tea", run: { task: "t1", cause: "schedule", dueAtMs: 1 } } as const;

function told(conversation: string, more: Partial<EventOf<"reply.written">> = {}): EventOf<"reply.written"> {
  const place = { seq: 1, atMs: 1, conversation, channel: "web" };
  return { type: "reply.written", ...place, text: "Tea", attachments: [], task: tea, ...more };
}

function scene(open?: string) {
  let tell: (followed: Followed) => void = () => {};
  const openKey = openWatched(open);
  const kept = new Map<string, string>();
  const said: [title: string | undefined, text: string][] = [];
  const places: string[] = [];
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const news = () =>
    followTaskNews({
      link: {
        follow(listener) {
          tell = listener;
          return () => {};
        },
      },
      ...{ openKey, storage },
      say(text, options) {
        said.push([options?.title, text]);
        options?.action?.run();
        return () => {};
      },
      go: (path) => void places.push(path),
    });
  return { openKey, said, places, again: news, unread: news(), tell: (followed: Followed) => tell(followed) };
}

test("what a task says elsewhere is told with the way to it, and marked until its conversation is opened", () => {
  const { openKey, said, places, unread, tell } = scene("web--1");
  tell(told("web--2", { text: "**Call** Anna", task: { ...tea, title: "Phone" } }));
  expect(said).toEqual([["Reminder · Phone", "Call Anna"]]);
  expect(places).toEqual(["/chat/web--2"]);
  expect([...unread.value]).toEqual(["web--2"]);
  openKey.set("web--2");
  expect(unread.value.size).toBe(0);
});

test("what is said before somebody's eyes, by no task, or where nobody reads is not told again", () => {
  const { said, unread, tell } = scene("web--1");
  tell(told("web--1"));
  tell(told("task--t1"));
  tell(told("web--2", { task: undefined }));
  expect(said).toEqual([]);
  expect(unread.value.size).toBe(0);
});

test("a question is told without the words about where to answer it", () => {
  const { said, tell } = scene();
  const text =
    "I wait for your answer before I go on:\n\nWrite bins.txt\n\nAnswer in the Inbox, or with: steward approvals";
  tell(told("web--2", { text, task: { id: "t1", title: "Bins", ask: "a1" } }));
  expect(said).toEqual([["Task asks · Bins", "Write bins.txt"]]);
});

test("the mark outlives a reload, and goes with its conversation", () => {
  const { tell, again } = scene();
  tell(told("web--2"));
  const unread = again();
  expect([...unread.value]).toEqual(["web--2"]);
  tell({ type: "conversation.deleted", seq: 2, atMs: 2, conversation: "web--2", by: { kind: "owner", id: "me" } });
  expect(unread.value.size).toBe(0);
});
