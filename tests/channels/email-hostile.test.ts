// What strangers write to stop whoever reads it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { emailChannel } from "../../src/channels/email/email-channel.ts";
import type { ToolContext } from "../../src/contract/tool.ts";
import { openChannelScene } from "../scenes/channels/channel-scene.ts";
import { type MailServer, password, startMailServer } from "../scenes/channels/mail-server.ts";
import { cpuMsOf } from "../scenes/cpu-time.ts";
import { eventually } from "../scenes/eventually.ts";

const authServer = "mx.example.org";
const ann = "ann@example.net";

let server: MailServer;
let mailboxes = 0;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

async function openMailbox() {
  const address = `steward-${++mailboxes}@example.org`;
  const settings = server.settings({ address, allowedUserIds: [ann], authServer });
  const { promise: nextTaken, resolve } = Promise.withResolvers<void>();
  const onTake = (update: { title: string }) => void (update.title === "the next" && resolve());
  const scene = await openChannelScene(emailChannel, { settings, secrets: { EMAIL_PASSWORD: password }, onTake });
  const news: string[] = [];
  scene.base.news = async ({ subject, text }) => void news.push(`${subject}: ${text}`);
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  return { ...scene, news, nextTaken, deliver: (raw: string) => server.deliver(address, raw) };
}

const known = `Authentication-Results: ${authServer}; dmarc=pass header.from=example.net\r\nFrom: Ann <${ann}>`;
const stranger = "From: eve@example.com";
const friendly = `${known}\r\nSubject: the next\r\n\r\nWhat is up?\r\n`;

const hostile = [
  ["lines that flow", `Content-Type: text/plain; format=flowed\r\n\r\n${"a \r\n".repeat(750_000)}`],
  ["parts without end", `Content-Type: multipart/mixed; boundary=x\r\n\r\n${"--x\r\n\r\na\r\n".repeat(250_000)}`],
  ["beginnings of history", `\r\n${"On aaaaaaaa\r\n".repeat(250_000)}`],
] as const;

test.each(hostile)("a mail of %s keeps nobody waiting, whoever sends it", async (_what, rest) => {
  const { taken, news, nextTaken, deliver } = await openMailbox();
  for (const from of [stranger, known]) await deliver(`${from}\r\nSubject: the worst\r\n${rest}`);
  await deliver(friendly);
  const busyMs = await cpuMsOf(() => nextTaken);
  // in the thread of the program it would be many seconds
  expect(busyMs).toBeLessThan(3_000);
  await eventually(() => taken.map(({ title }) => title), ["the worst", "the next"]);
  expect(news.length).toBe(3);
  expect(Math.max(...news.map((one) => one.length))).toBeLessThan(201_000);
});

test("of a mail that is not answered only the beginning is fetched, and tasks hear of that", async () => {
  const { taken, news, deliver } = await openMailbox();
  const line = `${"word ".repeat(15)}\r\n`;
  await deliver(`${stranger}\r\nSubject: long\r\n\r\nDear owner,\r\n${line.repeat(40_000)}`);
  await deliver(friendly);
  await eventually(() => taken.map(({ title }) => title), ["the next"]);
  expect(news[0]).toMatch(/^long: Dear owner,/);
  expect(news[0]?.length).toBeLessThan(128 * 1024);
});

test("a mail whose headers do not end is not answered", async () => {
  const { taken, news, deliver } = await openMailbox();
  await deliver(`${known}\r\nSubject: long\r\n${`X-More: ${"x".repeat(900)}\r\n`.repeat(400)}\r\nHello\r\n`);
  await deliver(friendly);
  await eventually(() => taken.map(({ title }) => title), ["the next"]);
  expect(news[0]).toMatch(/^long: /);
});

test("the tools read such a mail, too, and the program goes on meanwhile", async () => {
  const { channel, taken, deliver, signal } = await openMailbox();
  const [, [, parts]] = hostile;
  await deliver(`${stranger}\r\nSubject: the worst\r\n${parts}`);
  // none of the recipients is shown by a search
  const many = `To: ${`${"a@b.c,".repeat(150)}\r\n `.repeat(10_000)}x@y.z`;
  await deliver(`${stranger}\r\nSubject: many\r\n${many}\r\n\r\nHello\r\n`);
  await deliver(friendly);
  await eventually(() => taken.length, 1);
  const context: ToolContext = {
    ...{ workspace: "/nowhere", conversation: "web:test", turn: "t1", callId: "c1" },
    ...{ asker: { kind: "owner", id: "owner" }, signal, progress: () => undefined },
  };
  const run = async (name: string, args: unknown) => {
    const bound = (await channel.tools?.())?.find((tool) => tool.name === name)?.bind(args);
    if (!bound?.ok) throw new Error(`${name} is not to be called so`);
    return bound.call.run(context);
  };
  const outputs: string[] = [];
  const busyMs = await cpuMsOf(async () => {
    for (const [name, args] of [
      ["email_search", {}],
      ["email_read", { uid: 1 }],
      ["email_read", { uid: 2 }],
      ["email_read", { uid: 3 }],
    ] as const)
      outputs.push((await run(name, args)).output);
  });
  expect(busyMs).toBeLessThan(3_000);
  expect(outputs).toEqual([
    expect.stringContaining("the worst"),
    expect.stringContaining("Subject: the worst"),
    expect.stringContaining("Subject: many"),
    expect.stringContaining("What is up?"),
  ]);
});
