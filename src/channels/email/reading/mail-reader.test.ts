import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { cpuMsOf } from "../../../../tests/scenes/cpu-time.ts";
import { eventually } from "../../../../tests/scenes/eventually.ts";
import { openMailReader } from "./mail-reader.ts";

function readerWith(limits: { deadlineMs?: number; megabytes?: number; idleMs?: number } = {}) {
  const notes: string[] = [];
  const reader = openMailReader({ note: (_words, { reason = "" }) => void notes.push(reason), ...limits });
  onTestFinished(() => reader.close());
  return { ...reader, notes };
}

const plain = Buffer.from("From: Ann <ann@example.net>\r\nSubject: Hello\r\n\r\nWhat is up?\r\n");
/** Takes far longer than any deadline here. */
const endless = () =>
  Buffer.from(`Content-Type: multipart/mixed; boundary=x\r\n\r\n${"--x\r\n\r\na\r\n".repeat(1_500_000)}`);

// a thread holds some of its own
const openDescriptors = () => readdirSync("/dev/fd").length;

// the first one, so that no thread of another test is just ending
test("an idle thread ends by itself, and the next mail starts another", async () => {
  const reader = readerWith({ idleMs: 200 });
  await reader.head(plain);
  const during = openDescriptors();
  await eventually(() => openDescriptors() < during);
  expect((await reader.head(plain)).subject).toBe("Hello");
});

test("the thread tells who has written and what", async () => {
  const reader = readerWith();
  expect(await reader.head(plain)).toMatchObject({ from: { address: "ann@example.net" }, subject: "Hello" });
  expect(await reader.body(plain)).toEqual({ text: "What is up?\n", newWords: "What is up?", files: [] });
});

test("attachments come out of the thread byte for byte", async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256));
  const lines = bytes.toString("base64").match(/.{1,76}/g) ?? [];
  const { files } = await readerWith().body(
    Buffer.from(
      `Content-Type: application/x-thing; name=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines.join("\r\n")}`,
    ),
  );
  expect(files).toMatchObject([{ name: "a.bin", mediaType: "application/x-thing" }]);
  expect(bytes.equals(files[0]?.data ?? new Uint8Array())).toBe(true);
});

test.each([
  ["nothing", ""],
  ["no headers", "\r\n\r\nwords"],
  [
    "broken parts",
    "From: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: \r\n\r\n--y",
  ],
  ["bytes that are no text", "From: \u0000\u0001@\r\nSubject: =?x?q?=FF?=\r\n\r\n\u0000"],
  [
    "parts within parts",
    `From: a@b.example\r\n${"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n".repeat(200)}`,
  ],
])("a mail of %s is read without failing", async (_what, raw) => {
  expect(typeof (await readerWith().body(Buffer.from(raw))).text).toBe("string");
});

test("a mail that cannot be read in time says so, and the next one is read", async () => {
  const reader = readerWith({ deadlineMs: 500 });
  const [late, next] = await Promise.all([reader.body(endless()), reader.head(plain)]);
  const words = "[This mail could not be read: it takes longer than 0.5 s. Only its subject is known.]";
  expect(late).toEqual({ text: words, newWords: words, files: [] });
  expect(next.subject).toBe("Hello");
  expect(reader.notes).toEqual(["it takes longer than 0.5 s."]);
});

test("a mail that takes more memory than there is for it says so, and the next one is read", async () => {
  const reader = readerWith({ deadlineMs: 110_000, megabytes: 64 });
  const hungry = Buffer.from(`Content-Type: text/plain; format=flowed\r\n\r\n${"a \r\n".repeat(1_000_000)}`);
  expect((await reader.body(hungry)).newWords.slice(0, 100)).toBe(
    "[This mail could not be read: it takes too much memory. Only its subject is known.]",
  );
  expect((await reader.head(plain)).subject).toBe("Hello");
});

test("while a mail is read, the program is free", async () => {
  const reader = readerWith({ deadlineMs: 2_000 });
  await reader.head(plain);
  const mail = endless();
  expect(await cpuMsOf(() => reader.body(mail))).toBeLessThan(500);
});

test("whoever stops waiting for a mail holds up nobody, and closing ends all", async () => {
  const reader = readerWith({ deadlineMs: 110_000 });
  const stop = new AbortController();
  const [first, second] = [reader.body(endless(), stop.signal), reader.body(endless(), stop.signal)];
  const next = reader.head(plain);
  stop.abort();
  await expect(first).rejects.toThrow("stopped");
  await expect(second).rejects.toThrow("stopped");
  expect((await next).subject).toBe("Hello");
  const last = reader.body(endless());
  const refused = expect(last).rejects.toThrow("closing");
  await reader.close();
  await refused;
  await expect(reader.head(plain)).rejects.toThrow("closing");
});
