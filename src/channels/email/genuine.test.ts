import { expect, test } from "vitest";
import { judgeSender } from "./genuine.ts";
import { readHead } from "./reading/read-mail.ts";

const authServer = "mx.example.org";
const ours =
  "Received: from out.bank.example (out.bank.example [192.0.2.1]) by mx.example.org (Postfix) with ESMTPS id 1";
const inside = "Received: from mx.example.org by mail.example.org with LMTP id 2";
const others = "Received: from evil.example by relay.evil.example with ESMTP id 3";
const pass = `Authentication-Results: ${authServer}; dmarc=pass (p=reject) header.from=bank.example`;
const from = "From: Bank <boss@bank.example>";

async function judge(...lines: readonly string[]) {
  const mail = await readHead(Buffer.from([...lines, "Subject: x", "", "words"].join("\r\n")));
  return mail.from === undefined ? false : judgeSender(mail.headers, mail.from.address, authServer).isGenuine;
}

test.each<[string, readonly string[]]>([
  ["DMARC passes for its domain", [ours, pass, from]],
  ["the line stands above all others", [pass, ours, from]],
  ["the server hands it on inside of itself", [inside, ours, pass, from]],
  ["the server notes no origin for its own steps", ["Received: by 2002:a05:6a10 with SMTP id 9", ours, pass, from]],
  [
    "DKIM passes for its domain",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=bank.example`, from],
  ],
  [
    "DKIM passes for the domain above",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=bank.example`, "From: a@mail.bank.example"],
  ],
  [
    "the line is folded, commented and has a version",
    [
      ours,
      `Authentication-Results: (a) ${authServer} 1;\r\n\tspf=pass (x) smtp.mailfrom=b@bank.example;\r\n\tDMARC=Pass (p=none; x) header.from=Bank.Example`,
      from,
    ],
  ],
  ["the name of the server is written in capital letters", [ours, pass.replace(authServer, "MX.Example.ORG"), from]],
  [
    "another server's line stands above",
    [ours, "Authentication-Results: filter.example; dmarc=fail header.from=bank.example", pass, from],
  ],
])("a mail is genuine when %s", async (_when, lines) => {
  expect(await judge(...lines)).toBe(true);
});

test.each<[string, readonly string[]]>([
  ["nothing checks it", [ours, from]],
  [
    "another server vouches for it",
    [ours, "Authentication-Results: mx.evil.example; dmarc=pass header.from=bank.example", from],
  ],
  ["the line was there before it came to our server", [ours, others, pass, from]],
  [
    "a line of ours that fails stands above a forged one",
    [ours, `Authentication-Results: ${authServer}; dmarc=fail header.from=bank.example`, pass, from],
  ],
  [
    "a broken line of ours stands above a forged one",
    [ours, `Authentication-Results: ${authServer}; dmarc=fail (oh`, pass, from],
  ],
  [
    "our line speaks of another domain",
    [ours, `Authentication-Results: ${authServer}; dmarc=pass header.from=evil.example`, from],
  ],
  [
    "DMARC passes for a domain above or below",
    [ours, `Authentication-Results: ${authServer}; dmarc=pass header.from=bank.example`, "From: a@sub.bank.example"],
  ],
  ["DMARC names no domain", [ours, `Authentication-Results: ${authServer}; dmarc=pass`, from]],
  ["DMARC names two domains", [ours, `${pass} header.from=evil.example`, from]],
  [
    "DMARC fails though DKIM passes",
    [
      ours,
      `Authentication-Results: ${authServer}; dkim=pass header.d=bank.example; dmarc=fail header.from=bank.example`,
      from,
    ],
  ],
  [
    "DKIM passes for another domain",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=evil.example`, from],
  ],
  [
    "DKIM passes for a domain that only ends alike",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=bank.example`, "From: a@notbank.example"],
  ],
  [
    "DKIM passes for a domain below",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=x.bank.example`, from],
  ],
  [
    "DKIM passes for a whole top-level domain",
    [ours, `Authentication-Results: ${authServer}; dkim=pass header.d=example`, from],
  ],
  ["only SPF passes", [ours, `Authentication-Results: ${authServer}; spf=pass smtp.mailfrom=boss@bank.example`, from]],
  [
    "the pass stands in a comment",
    [ours, `Authentication-Results: ${authServer}; spf=fail (; dmarc=pass header.from=bank.example)`, from],
  ],
  [
    "the pass stands in quotes",
    [
      ours,
      `Authentication-Results: ${authServer}; spf=fail smtp.mailfrom="x; dmarc=pass header.from=bank.example"`,
      from,
    ],
  ],
  [
    "the pass stands in another result",
    [ours, `Authentication-Results: ${authServer}; spf=fail smtp.helo=x dmarc=pass header.from=bank.example`, from],
  ],
  [
    "the name of our server stands in a comment",
    [ours, `Authentication-Results: mx.evil.example (${authServer}); dmarc=pass header.from=bank.example`, from],
  ],
  [
    "the name of our server is only a part",
    [ours, `Authentication-Results: ${authServer}.evil.example; dmarc=pass header.from=bank.example`, from],
  ],
  ["ARC says it", [ours, `ARC-Authentication-Results: i=1; ${authServer}; dmarc=pass header.from=bank.example`, from]],
  ["it has two From headers", [ours, pass, from, "From: eve@evil.example"]],
  ["it has two From headers, one with a blank", [ours, pass, from, "From : eve@evil.example"]],
  ["it names two senders", [ours, pass, "From: boss@bank.example, eve@evil.example"]],
  ["it names a group", [ours, pass, "From: All: boss@bank.example, eve@evil.example;"]],
  ["it has no From header", [ours, pass, "Sender: boss@bank.example"]],
  ["the address is only its name", [ours, pass, 'From: "boss@bank.example" <eve@evil.example>']],
  ["the address is written in a hidden way", [ours, pass, "From: =?utf-8?q?boss=40bank=2Eexample?="]],
  ["the address has two @", [ours, pass, "From: <boss@bank.example@evil.example>"]],
])("a mail is not genuine when %s", async (_when, lines) => {
  expect(await judge(...lines)).toBe(false);
});

test("without a server that is trusted, no mail is genuine", async () => {
  const mail = await readHead(Buffer.from([pass, from, "", ""].join("\r\n")));
  expect(judgeSender(mail.headers, "boss@bank.example", "")).toMatchObject({ isGenuine: false });
});
