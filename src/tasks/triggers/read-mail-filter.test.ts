import { expect, test } from "vitest";
import { readMailFilter } from "./read-mail-filter.ts";

test.each([
  ["", {}],
  ["from=boss@example.org", { from: "boss@example.org" }],
  ["boss@example.org", { from: "boss@example.org" }],
  ["@example.org", { from: "@example.org" }],
  ["from=boss@example.org subject=new invoice", { from: "boss@example.org", subject: "new invoice" }],
  ['Subject="Your order a=b"  FROM=shop@example.org', { from: "shop@example.org", subject: "Your order a=b" }],
])("which mails a task waits for is read: %j", (words, filter) => {
  expect(readMailFilter(words)).toEqual(filter);
});

test.each(["invoice", "from=", "from=a@b from=c@d", "to=a@b", "a@b subject=x", "subject= "])(
  "%j names no mails",
  (words) => {
    expect(readMailFilter(words)).toBeUndefined();
  },
);
