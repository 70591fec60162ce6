import { expect, test } from "vitest";
import { catchUp, type Spoken } from "./group-talk.ts";

const said = (seq: number, text: string): Spoken => ({
  ...{ type: "message.overheard", seq, atMs: seq * 60_000, conversation: "telegram--1", messageId: `m${seq}` },
  ...{ channel: "telegram", sender: { kind: "group", id: "telegram:77", name: "Bert" }, text, attachments: [] },
});

test("a voice that goes on for very long is told by its beginning, and pushes out nothing that was said beside it", () => {
  const long = `[voice] ${"and then ".repeat(5_000)}`;
  const told = catchUp([said(1, "dinner is at eight"), said(2, long), said(3, "good night")], "UTC") ?? "";
  expect(told).toContain("Bert: dinner is at eight\n");
  expect(told).toContain("Bert: [voice] and then and then");
  expect(told).toContain(" […]\n");
  expect(told).toContain("Bert: good night");
  expect(told).not.toContain("Earlier, in short");
  expect(told.length).toBeLessThan(6_000);
});
