import { visibleWidth } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import type { Event } from "../../contract/event.ts";
import { addOutgoing, emptyChat } from "../chat/chat-state.ts";
import { foldFollowed } from "../chat/fold-chat.ts";
import { paletteFor } from "../palette.ts";
import { openTranscript } from "./transcript.ts";

const place = { conversation: "terminal--default", turn: "t" };
const wild =
  "# Title\n\nA 日本語 line that is far too long for a narrow terminal, with https://example.org/" +
  "x".repeat(80) +
  "\n\n| a | b |\n|---|---|\n| one | " +
  "wide ".repeat(20) +
  "|\n\n```\n" +
  "code ".repeat(40) +
  "\n```\n- 👩‍👩‍👧 item\n\u001b]0;title\u0007\u001b[2J";

function conversation() {
  const call = { callId: "c", tool: "shell", arguments: { command: `ls ${"日本".repeat(60)}\t\u001b[31m` } };
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const sender = { kind: "owner", id: "o" } as const;
  const events = [
    { ...place, type: "message.received", messageId: "m", channel: "terminal", sender, text: wild, attachments: [] },
    { ...place, type: "turn.started", messages: [1] },
    {
      ...place,
      type: "step.finished",
      step: 0,
      model: "m",
      text: wild,
      reasoning: wild,
      toolCalls: [call],
      finish: "tool_calls",
      usage,
    },
    { ...place, type: "tool.sent", callId: "c", tool: "shell" },
    { ...place, type: "tool.returned", callId: "c", tool: "shell", outcome: "failed", output: wild, attachments: [] },
    {
      ...place,
      type: "approval.asked",
      approvalId: "a",
      callId: "d",
      tool: "shell",
      arguments: {},
      binding: "b",
      display: wild,
      rule: "r",
      reason: wild,
      expiresAtMs: 9e12,
    },
    { ...place, type: "turn.waiting", approvals: ["a"] },
  ].map((event, index) => ({ ...event, seq: index + 1, atMs: index }) as Event);
  return addOutgoing(events.reduce(foldFollowed, emptyChat("terminal--default")), "k", wild);
}

test.each([120, 80, 40, 20, 12])("every line fits a terminal of %i columns, whatever it shows", (width) => {
  const transcript = openTranscript(paletteFor(true), ["Welcome to a rather long first line of the chat"]);
  transcript.show(conversation());
  transcript.toggleReasoning();
  const lines = transcript.render(width);
  expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
});

test("nothing that came from outside reaches the terminal as a control sequence", () => {
  const transcript = openTranscript(paletteFor(false), ["Welcome"]);
  transcript.show(conversation());
  transcript.toggleReasoning();
  // the library ends styles on its own; everything else would be somebody else's
  const styles = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");
  const shown = transcript.render(80).join("\n").replace(styles, "");
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
});

test("a conversation looks calm and aligned", () => {
  const transcript = openTranscript(paletteFor(false), ["Steward 1.0"]);
  const sender = { kind: "owner", id: "o" } as const;
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const step = { ...place, type: "step.finished", model: "m", toolCalls: [], finish: "stop", usage } as const;
  const calls = [
    { callId: "1", tool: "shell", arguments: { command: "ls" } },
    { callId: "2", tool: "read", arguments: { path: "a.txt" } },
  ];
  const events = [
    {
      ...place,
      type: "message.received",
      messageId: "m",
      channel: "terminal",
      sender,
      text: "Hi there\nyou",
      attachments: [],
    },
    { ...place, type: "turn.started", messages: [1] },
    { ...step, step: 0, text: "", toolCalls: calls, finish: "tool_calls" },
    {
      ...place,
      type: "tool.returned",
      callId: "1",
      tool: "shell",
      outcome: "done",
      output: "",
      attachments: [],
      durationMs: 2000,
    },
    {
      ...place,
      type: "tool.returned",
      callId: "2",
      tool: "read",
      outcome: "failed",
      output: "no such file",
      attachments: [],
    },
    { ...step, step: 1, text: "Hello **you**." },
    { ...place, type: "turn.finished", ending: "step_limit" },
  ].map((event, index) => ({ ...event, seq: index + 1, atMs: index }) as Event);
  transcript.show(events.reduce(foldFollowed, emptyChat("terminal--default")));
  expect(transcript.render(60)).toEqual([
    " Steward 1.0",
    "",
    " › Hi there",
    "   you",
    "",
    " ✓ shell ls  2 s",
    " ✗ read a.txt  failed",
    "   no such file",
    "",
    " Hello you.",
    "",
    " ! Ended at the step limit. Say “go on” to let it continue.",
  ]);
});

test("what a task says is headed by its name, and what it was asked by when it was due", () => {
  const transcript = openTranscript(paletteFor(false), ["Steward 1.0"]);
  const dueAtMs = Date.parse("2026-11-16T18:00:00");
  const run = { task: "t1", dueAtMs, cause: "webhook" } as const;
  const sender = { kind: "system", id: "task:t1" } as const;
  const spoken = { conversation: "terminal--default", channel: "terminal", attachments: [] };
  const events = [
    { ...spoken, type: "reply.written", text: "Call the dentist.", task: { id: "t1", title: "Dentist\u001b[2J", run } },
    { ...spoken, type: "message.received", messageId: "m", sender, text: "Who is it?", data: '{"from":\n"Anna"}', run },
  ].map((event, index) => ({ ...event, seq: index + 1, atMs: index }) as Event);
  transcript.show(events.reduce(foldFollowed, emptyChat("terminal--default")));
  const at = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(dueAtMs);
  expect(transcript.render(80)).toEqual([
    " Steward 1.0",
    "",
    " Reminder · Dentist",
    " Call the dentist.",
    "",
    ` › Task · begun by a webhook, ${at}`,
    "   Who is it?",
    '   ▪ with 16 characters: {"from": "Anna"}',
  ]);
});
