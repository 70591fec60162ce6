import { expect, test } from "vitest";
import { messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { NewEvent } from "../../contract/event.ts";
import { type AuditFilter, listAudit } from "./audit-queries.ts";

async function auditOf(events: readonly NewEvent[], redact = (text: string) => text) {
  const store = await storeIn(await temporaryFolder());
  await store.log.append(events);
  const list = (filter: Partial<AuditFilter> = {}) => listAudit(store.database, { limit: 10, ...filter }, redact);
  const seqs = async (filter: Partial<AuditFilter> = {}) => (await list(filter)).events.map((event) => event.seq);
  return { store, list, seqs };
}

const stop = (conversation = "terminal--default"): NewEvent => ({
  type: "turn.resumed",
  conversation,
  turn: "t",
});
const step = (text: string, providerState?: unknown): NewEvent => ({
  type: "step.finished",
  conversation: "terminal--default",
  turn: "t",
  step: 0,
  model: "a/b",
  text,
  toolCalls: [],
  ...(providerState !== undefined && { providerState }),
  finish: "stop",
  usage: { inputTokens: 1, outputTokens: 1 },
});

test("pages follow each other newest first, without gaps or repeats, to the very beginning", async () => {
  const { list } = await auditOf(Array.from({ length: 25 }, (_, at) => messageReceived(`m${at}`)));
  const pages: number[][] = [];
  for (let beforeSeq: number | undefined, more = true; more; ) {
    const page = await list({ beforeSeq });
    pages.push(page.events.map((event) => event.seq));
    beforeSeq = page.nextBeforeSeq;
    more = beforeSeq !== undefined;
  }
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
  expect(pages.flat()).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
});

test("a page that ends exactly at the beginning says that there is no more", async () => {
  const { list } = await auditOf(Array.from({ length: 10 }, (_, at) => messageReceived(`m${at}`)));
  expect(await list()).not.toHaveProperty("nextBeforeSeq");
});

test("types, the conversation and words narrow it down together", async () => {
  const { seqs } = await auditOf([
    messageReceived("Milk please"),
    messageReceived("milk too", { conversation: "web--a" }),
    stop("web--a"),
    messageReceived("bread", { conversation: "web--a" }),
  ]);
  expect(await seqs({ types: ["turn.resumed"] })).toEqual([3]);
  expect(await seqs({ conversation: "web--a" })).toEqual([4, 3, 2]);
  expect(await seqs({ text: "MILK" })).toEqual([2, 1]);
  expect(await seqs({ text: "turn.resumed" })).toEqual([3]);
  expect(await seqs({ text: "milk", conversation: "web--a", types: ["message.received"] })).toEqual([2]);
  expect(await seqs({ types: [] })).toEqual([]);
});

test.each(['a "quoted" word', "line\nbreak", "100% _under_ \\ back", "é🦉"])(
  "%j is found as it was written",
  async (text) => {
    const { seqs } = await auditOf([messageReceived(`before ${text} after`), messageReceived("100x yunderz")]);
    expect(await seqs({ text })).toEqual([1]);
  },
);

test("a rare word is looked for so far and no further, and the next call goes on from there", async () => {
  const filler = Array.from({ length: 21_500 }, () => stop());
  const { list } = await auditOf([messageReceived("needle"), ...filler]);
  const first = await list({ text: "needle" });
  expect(first.events).toEqual([]);
  expect(first.nextBeforeSeq).toBe(1_502);
  const second = await list({ text: "needle", beforeSeq: first.nextBeforeSeq });
  expect(second).toMatchObject({ events: [{ seq: 1 }] });
  expect(second).not.toHaveProperty("nextBeforeSeq");
});

test("what only a provider understands does not leave, and is not found", async () => {
  const { list } = await auditOf([step("said", { signature: "opaque-blob" })]);
  expect((await list()).events[0]).toMatchObject({ text: "said" });
  expect((await list()).events[0]).not.toHaveProperty("providerState");
  expect((await list({ text: "opaque-blob" })).events).toEqual([]);
});

test("secrets are masked, and cannot be found by trying", async () => {
  const { list } = await auditOf([messageReceived("the key is hunter2")], (text) => text.replaceAll("hunter2", "***"));
  expect((await list()).events[0]).toMatchObject({ text: "the key is ***" });
  expect((await list({ text: "hunter" })).events).toEqual([]);
});

test("a very long field is cut, and its end can still be found", async () => {
  const { list } = await auditOf([messageReceived(`${"x".repeat(50_000)} needle`)]);
  const [event] = (await list({ text: "needle" })).events;
  expect(event).toMatchObject({ text: expect.stringMatching(/^x{8000}… \[42007 more characters\]$/) });
});
