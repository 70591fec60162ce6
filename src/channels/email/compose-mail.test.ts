import { expect, test } from "vitest";
import { composeMail, shortThread } from "./compose-mail.ts";

const ids = (count: number, length = 0) =>
  Array.from({ length: count }, (_, number) => `<${number}${"x".repeat(length)}@example.net>`);

test("of a long thread the first mail and the last twenty are named", () => {
  const all = ids(300);
  expect(shortThread(all)).toEqual([all[0], ...all.slice(-20)]);
  expect(shortThread(all.slice(0, 21))).toEqual(all.slice(0, 21));
  expect(shortThread([])).toEqual([]);
  expect(shortThread([""])).toEqual([]);
});

test("of mails with long names fewer are named, and always the one that is answered", () => {
  const all = ids(50, 200);
  const kept = shortThread(all);
  expect(kept.join(" ").length).toBeLessThanOrEqual(2_000);
  expect([kept[0], kept.at(-1), kept.length]).toEqual([all[0], all.at(-1), 9]);
});

test("a mail in a long thread answers the last one of it", async () => {
  const raw = await composeMail({
    ...{ messageId: "<new@example.org>", from: "steward@example.org", to: ["ann@example.net"], subject: "Re: Dinner" },
    ...{ text: "ok", html: undefined, references: ids(300), atMs: 0, isAutomatic: true },
  });
  const head = raw.toString().split("\r\n\r\n")[0] ?? "";
  expect(head).toContain("In-Reply-To: <299@example.net>");
  const references = /^References:(?:.|\r\n\s)*/m.exec(head)?.[0] ?? "";
  expect(references.match(/<\d+@example\.net>/g)).toEqual(shortThread(ids(300)));
});
