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

const judge = (...lines: readonly string[]) => judgeAt(authServer, lines);

async function judgeAt(server: string, lines: readonly string[]) {
  const mail = await readHead(Buffer.from([...lines, "Subject: x", "", "words"].join("\r\n")));
  return mail.from === undefined ? false : judgeSender(mail.headers, mail.from.address, server).isGenuine;
}

test.each<[string, readonly string[]]>([
  ["DMARC passes for its domain", [ours, pass, from]],
  ["the line stands above all others", [pass, ours, from]],
  ["the server hands it on inside of itself", [inside, ours, pass, from]],
  ["the server notes no origin for its own steps", ["Received: by 2002:a05:6a10 with SMTP id 9", ours, pass, from]],
  ["one beside the server takes it in", [ours.replace("by mx.", "by mx2."), pass, from]],
  [
    "the server says at length how it was taken in",
    [
      "Received: from out.bank.example (out.bank.example [192.0.2.1]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits) key-exchange X25519) (No client certificate requested) by mx.example.org (Postfix) with ESMTPS id 1 for <a@example.org>",
      pass,
      from,
    ],
  ],
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
  ["our server's name stands in a hop below the one by which it came", [ours, ours, pass, from]],
  [
    "a step within our server stands below the hop by which it came",
    [ours, "Received: by x with SMTP id 9", pass, from],
  ],
  ["a delivery to a mailbox stands below the hop by which it came", [ours, inside, pass, from]],
  ...["ESMTPSA", "esmtpa", "UTF8SMTPSA", "asmtp", "local", "HTTP"].map((how): [string, readonly string[]] => [
    `a user of our server has handed it in (${how})`,
    [inside, ours.replace("ESMTPS", how), pass, from],
  ]),
  [
    "a user of our server has handed it in under a name that hides how",
    ["Received: from with (x [192.0.2.1]) by mx.example.org (Postfix) with ESMTPSA id 1", pass, from],
  ],
  [
    "a user of our server has signed in, as a comment says",
    ["Received: from x ([192.0.2.1]) (authenticated bits=0) by mx.example.org with ESMTP id 1", pass, from],
  ],
  [
    "a user of our server's machine has handed it in",
    ["Received: by mx.example.org (Postfix, from userid 1001) id 1", pass, from],
  ],
  ["the hop by which it came is not well formed", ["Received: from x) by mx.example.org with ESMTPS id 1", pass, from]],
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

test.each([
  ["example.co.uk", "evil.co.uk"],
  ["example.com.au", "mx.evil.com.au"],
  ["example.gouv.fr", "evil.gouv.fr"],
  ["example.org", "evil.org"],
  ["mx.example.org", "example.org"],
  ["mx.example.org", "notexample.org"],
])("what %s is said to vouch for does not count if it was taken in by %s", async (server, by) => {
  const line = pass.replace(authServer, server);
  expect(await judgeAt(server, [ours.replace(authServer, by), line, from])).toBe(false);
  expect(await judgeAt(server, [ours.replace(authServer, `in.${server}`), line, from])).toBe(true);
});

test("without a server that is trusted, no mail is genuine", async () => {
  const mail = await readHead(Buffer.from([pass, from, "", ""].join("\r\n")));
  expect(judgeSender(mail.headers, "boss@bank.example", "")).toMatchObject({ isGenuine: false });
});
