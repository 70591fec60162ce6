import { expect, test } from "vitest";
import { readUpdate } from "../read-update.ts";
import { readBody, readHead } from "./read-mail.ts";

const bytesOf = (...lines: readonly string[]) => Buffer.from(lines.join("\r\n"));

test("names and subjects in other alphabets are read, and stay one line", async () => {
  const raw = bytesOf(
    "From: =?utf-8?q?J=C3=BCrgen=0ABcc=3A_x?= <J@Example.org>",
    "Subject: =?utf-8?b?R3LDvMOfZQ0KQmNjOiB4?=",
    "",
    "",
  );
  const mail = await readHead(raw);
  expect(mail.from).toEqual({ address: "j@example.org", original: "J@Example.org", name: "Jürgen Bcc: x" });
  expect(mail.subject).toBe("Grüße Bcc: x");
});

test("a thread is named by its first mail, and a mail without any id by where it lies", async () => {
  const at = { key: "7:12", atMs: 0 };
  const threadOf = async (...headers: readonly string[]) => {
    const raw = bytesOf("From: a@b.example", ...headers, "", "x");
    const mail = { ...(await readHead(raw)), ...(await readBody(raw)) };
    if (!mail.from) throw new Error("it names no sender");
    return readUpdate(mail, mail.from, at);
  };
  const first = await threadOf("Message-ID: <1@b.example>");
  const second = await threadOf("Message-ID: <2@b.example>", "In-Reply-To: <1@b.example>");
  const third = await threadOf("Message-ID: <3@b.example>", "References: <1@b.example>\r\n <2@b.example>");
  expect(second.address).toEqual(first.address);
  expect(third.address).toEqual(first.address);
  expect(third.details?.references).toBe("<1@b.example> <2@b.example> <3@b.example>");
  expect(await threadOf()).toMatchObject({ key: "7:12", address: { chat: "a@b.example" } });
});

test("of a mail that is cut off, what came before is read", async () => {
  const part = "--b\r\nContent-Type: text/plain\r\n\r\n";
  const raw = bytesOf("Content-Type: multipart/mixed; boundary=b", "", `${part}Hello${part}`);
  for (const bytes of [raw.length - 30, raw.length - 20, raw.length])
    expect((await readBody(raw.subarray(0, bytes))).newWords).toContain("Hello");
});

test("of a mail with very many attachments the first hundred are taken, and it says so", async () => {
  const part = "--b\r\nContent-Type: text/csv\r\n\r\n1,2\r\n";
  const { files, newWords } = await readBody(
    bytesOf("Content-Type: multipart/mixed; boundary=b", "", part.repeat(130)),
  );
  expect(files.length).toBe(100);
  expect(newWords).toContain("[30 more attachments of this mail are left out.]");
});
