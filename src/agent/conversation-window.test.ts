import { expect, test } from "vitest";
import type { EventOf } from "../contract/event.ts";
import { ownWords } from "./conversation-window.ts";

function said(words: Partial<EventOf<"message.received">>): EventOf<"message.received"> {
  return {
    ...{ type: "message.received", seq: 1, atMs: 0, conversation: "heartbeat--main", messageId: "m", channel: "x" },
    ...{ sender: { kind: "system", id: "heartbeat" }, text: "", attachments: [] },
    ...words,
  };
}

test("the owner's own words are theirs and those of HEARTBEAT.md, and nothing that came along", () => {
  const beat = { task: "heartbeat", dueAtMs: 0, cause: "heartbeat" } as const;
  const words = ownWords([
    said({ sender: { kind: "owner", id: "owner" }, text: "said" }),
    said({ text: "written", data: "brought", run: beat }),
    said({ text: "planned by a model", run: { ...beat, task: "t1", cause: "schedule" } }),
    said({ text: "told by a process" }),
  ]);
  expect(words).toBe("said\nwritten");
});
