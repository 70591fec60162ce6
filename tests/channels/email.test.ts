import { getEventListeners } from "node:events";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { emailChannel } from "../../src/channels/email/email-channel.ts";
import type { ChannelBase } from "../../src/contract/channel/channel.ts";
import { Settings } from "../../src/contract/settings.ts";
import type { ToolContext } from "../../src/contract/tool.ts";
import { type ChannelSceneOptions, openChannelScene } from "../scenes/channels/channel-scene.ts";
import { type MailServer, mailsIn, password, startMailServer } from "../scenes/channels/mail-server.ts";
import { eventually } from "../scenes/eventually.ts";

const authServer = "mx.example.org";
const ann = "ann@example.net";

let server: MailServer;
let mailboxes = 0;
let calls = 0;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

type Words = {
  subject?: string;
  text?: string;
  from?: string;
  id?: string;
  headers?: readonly string[];
  verdict?: string;
  date?: Date;
};

function mail({
  subject = "Hello",
  text = "What is up?",
  from = `Ann <${ann}>`,
  id,
  headers = [],
  verdict,
  date,
}: Words = {}): string {
  const passed = verdict ?? "dmarc=pass header.from=example.net";
  return [
    ...(passed === "" ? [] : [`Authentication-Results: ${authServer}; ${passed}`]),
    ...headers,
    `From: ${from}`,
    "To: steward@example.org",
    `Subject: ${subject}`,
    ...(id ? [`Message-ID: ${id}`] : []),
    `Date: ${date?.toUTCString() ?? "Mon, 16 Nov 2026 10:00:00 +0000"}`,
    "MIME-Version: 1.0",
    ...(headers.some((header) => /^content-type/i.test(header)) ? [] : ["Content-Type: text/plain; charset=utf-8"]),
    "",
    text,
  ].join("\r\n");
}

async function mailboxOf(options: ChannelSceneOptions & { on?: MailServer; isQuiet?: boolean } = {}) {
  const { on = server, isQuiet, settings, ...others } = options;
  const address = typeof settings?.address === "string" ? settings.address : `steward-${++mailboxes}@example.org`;
  const scene = await openChannelScene(emailChannel, {
    ...others,
    settings: on.settings({ address, allowedUserIds: [ann], authServer, ...settings }),
    secrets: { EMAIL_PASSWORD: password, ...others.secrets },
  });
  const news: Parameters<NonNullable<ChannelBase["news"]>>[0][] = [];
  scene.base.news = async (one) => void news.push(one);
  if (!isQuiet) {
    scene.channel.start();
    await eventually(() => scene.channel.life().state, "connected");
  }
  return { ...scene, news, address, deliver: (raw: string) => on.deliver(address, raw), tool, call, run };

  async function tool(name: string) {
    const found = (await scene.channel.tools?.())?.find((one) => one.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  }

  async function call(name: string, args: unknown) {
    const parsed = (await tool(name)).bind(args);
    if (!parsed.ok) throw new Error(parsed.message);
    const context: ToolContext = {
      ...{ workspace: "/nowhere", conversation: "web:test", turn: "t1", callId: `c${++calls}` },
      ...{ asker: { kind: "owner", id: "owner" }, signal: scene.signal, progress: () => undefined },
    };
    return { bound: parsed.call, context };
  }

  async function run(name: string, args: unknown) {
    const { bound, context } = await call(name, args);
    return bound.run(context);
  }
}

test("a mail is taken as soon as it has come, with where it comes from", async () => {
  const { taken, deliver, address } = await mailboxOf();
  await deliver(mail({ id: "<1@example.net>", subject: "Dinner", from: "Ann Example <Ann@example.net>" }));
  await eventually(() => taken.length, 1);
  expect(taken[0]).toMatchObject({
    kind: "message",
    key: "<1@example.net>",
    address: { chat: ann, thread: expect.stringMatching(/^[0-9a-f]{16}$/) },
    isDirect: true,
    title: "Dinner",
    from: { id: ann, name: "Ann Example" },
    text: "What is up?",
    details: { messageId: "<1@example.net>", references: "<1@example.net>", subject: "Dinner", to: "Ann@example.net" },
    labels: [`mail:${ann}`],
  });
  const flags = await server.visit(address, async (client) => {
    await client.mailboxOpen("INBOX", { readOnly: true });
    return client.fetchAll("1:*", { flags: true });
  });
  expect(flags.map((one) => one.flags?.has("\\Seen"))).toEqual([false]);
});

test("what lay in the mailbox before the first start is not answered", async () => {
  const scene = await mailboxOf({ isQuiet: true });
  await scene.deliver(mail({ subject: "old" }));
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  await scene.deliver(mail({ subject: "new" }));
  await eventually(() => scene.taken.map((one) => one.title), ["new"]);
});

test("what came while Steward was away is read in order when it is back", async () => {
  const remembered = new Map<string, string>();
  const first = await mailboxOf({ remembered });
  await first.deliver(mail({ subject: "one" }));
  await eventually(() => first.taken.length, 1);
  await eventually(() => [...remembered.values()].join().includes('"lastUid":1'));
  await first.channel.close();
  expect(first.channel.life().state).toBe("closed");
  for (const subject of ["two", "three", "four"]) await first.deliver(mail({ subject }));
  const second = await mailboxOf({ remembered, settings: { address: first.address } });
  await eventually(() => second.taken.map((one) => one.title), ["two", "three", "four"]);
});

test("a mail that could not be kept comes again, and none behind it overtakes", async () => {
  let refusals = 2;
  const scene = await mailboxOf({
    onTake() {
      if (refusals-- > 0) throw new Error("the disk is full");
    },
  });
  await scene.deliver(mail({ subject: "one" }));
  await scene.deliver(mail({ subject: "two" }));
  await eventually(() => scene.taken.map((one) => one.title), ["one", "two"]);
  expect(scene.troubles[0]).toContain("the disk is full");
});

test("mails numbered anew by the server are read again as far as they are of the last days, and it is said", async () => {
  const remembered = new Map([["position:INBOX", JSON.stringify({ uidValidity: "1", lastUid: 7 })]]);
  const scene = await mailboxOf({ remembered, isQuiet: true });
  const date = new Date();
  await scene.deliver(mail({ subject: "before", id: "<before@example.net>", date }));
  await scene.deliver(mail({ subject: "of another year", id: "<old@example.net>", date: new Date(0) }));
  await scene.deliver(mail({ subject: "nobody knows whether it was answered", date }));
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "connected");
  await scene.deliver(mail({ subject: "after" }));
  await eventually(() => scene.taken.map((one) => one.title), ["before", "after"]);
  expect(scene.troubles.join()).toContain("numbered the mails in INBOX anew");
});

test("of mails numbered anew none is lost over a restart, and one that was answered is the same message", async () => {
  const remembered = new Map<string, string>();
  const date = new Date();
  const first = await mailboxOf({ remembered });
  await first.deliver(mail({ subject: "one", id: "<one@example.net>", date }));
  await eventually(() => remembered.get("position:INBOX")?.includes('"lastUid":1'));
  await first.channel.close();
  const known = JSON.parse(remembered.get("position:INBOX") ?? "{}");
  remembered.set("position:INBOX", JSON.stringify({ ...known, uidValidity: "1" }));
  await first.deliver(mail({ subject: "two", id: "<two@example.net>", date }));
  const settings = { address: first.address };
  const onTake = () => Promise.reject(new Error("the disk is full"));
  const second = await mailboxOf({ remembered, settings, onTake });
  await eventually(() => second.troubles.some((words) => words.includes("the disk is full")));
  await second.channel.close();
  const third = await mailboxOf({ remembered, settings });
  await eventually(() => third.taken.map((one) => one.title), ["one", "two"]);
  expect(third.taken[0]?.kind === "message" && third.taken[0].key).toBe("<one@example.net>");
});

test("nothing of a mail that was sent stays in memory", async () => {
  const { channel, signal } = await mailboxOf();
  const [piece] = channel.render("Good morning.");
  await channel.send({ chat: ann }, { key: "reply-1", piece, details: {} }, signal);
  server.fail({ at: "recipient", code: 550, words: "no such user" });
  await expect(channel.send({ chat: ann }, { key: "reply-2", piece, details: {} }, signal)).rejects.toThrow(
    "no such user",
  );
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an answer stands in its thread and lands in the mailbox of who has asked", async () => {
  const { taken, channel, deliver, address, signal } = await mailboxOf();
  await deliver(mail({ id: "<root@example.net>", subject: "Dinner" }));
  await eventually(() => taken.length, 1);
  const asked = taken[0];
  if (!asked) throw new Error("nothing was taken");
  const [piece] = channel.render("At **eight**.");
  const sent = await channel.send(asked.address, { key: "reply-1", piece, details: asked.details ?? {} }, signal);
  const [arrived = ""] = await eventually(
    async () => (await mailsIn(server, ann)).filter((one) => one.includes(sent.ref)),
    [expect.stringContaining("Re: Dinner")],
  );
  expect(arrived).toContain("In-Reply-To: <root@example.net>");
  expect(arrived).toContain("Auto-Submitted: auto-replied");
  expect(arrived).toContain("Content-Type: text/html");
  expect(sent).toMatchObject({ details: { messageId: sent.ref, references: `<root@example.net> ${sent.ref}` } });
  expect(sent.ref).toMatch(/^<[0-9a-f]{32}@example\.org>$/);
  // one copy, and it is found by the key
  expect((await mailsIn(server, address, "Sent")).length).toBe(1);
  expect(await channel.find?.(asked.address, "reply-1", signal)).toMatchObject({ ref: sent.ref });

  // the answer to the answer comes into the same thread
  await deliver(
    mail({
      id: "<3@example.net>",
      headers: [`References: <root@example.net> ${sent.ref}`, `In-Reply-To: ${sent.ref}`],
    }),
  );
  await eventually(() => taken.length, 2);
  expect(taken[1]?.address).toEqual(asked.address);
});

test("a thread of many mails does not grow for ever in what is known of it", async () => {
  const { taken, channel, deliver, signal } = await mailboxOf();
  const older = Array.from({ length: 45 }, (_, number) => `<${number}@example.net>`);
  await deliver(mail({ id: "<last@example.net>", headers: [`References: ${older.join(" ")}`] }));
  await eventually(() => taken.length, 1);
  const [asked] = taken;
  const known = asked?.details?.references?.split(" ");
  expect(known).toEqual([older[0], ...older.slice(-19), "<last@example.net>"]);
  const [piece] = channel.render("ok");
  const { ref, details } = await channel.send(
    asked?.address ?? { chat: "" },
    { key: "k", piece, details: asked?.details ?? {} },
    signal,
  );
  expect(details?.references?.split(" ")).toEqual([older[0], ...older.slice(-18), "<last@example.net>", ref]);
});

test("an answer to a mail that Steward began belongs to the direct conversation", async () => {
  const { taken, channel, deliver, signal } = await mailboxOf();
  const to = (await channel.directAddress?.("Ann@Example.net", signal)) ?? { chat: "" };
  const [piece] = channel.render("Good morning");
  const sent = await channel.send(to, { key: "morning", piece, details: {} }, signal);
  await deliver(mail({ headers: [`In-Reply-To: ${sent.ref}`, `References: ${sent.ref}`] }));
  await eventually(() => taken.length, 1);
  expect(taken[0]?.address).toEqual({ chat: ann });
});

test("a file goes out as an attachment, and attachments come in", async () => {
  const { taken, channel, deliver, signal } = await mailboxOf();
  const text = [
    "--b",
    "Content-Type: text/plain",
    "",
    "See this",
    "--b",
    "Content-Type: text/csv; name=a.csv",
    'Content-Disposition: attachment; filename="../a.csv"',
    "Content-Transfer-Encoding: base64",
    "",
    "MSwyLDM=",
    "--b--",
    "",
  ].join("\r\n");
  await deliver(mail({ text, headers: ["Content-Type: multipart/mixed; boundary=b"] }));
  await eventually(() => taken.length, 1);
  const [update] = taken;
  if (update?.kind !== "message") throw new Error("not a message");
  expect(update.text).toBe("See this");
  expect(update.files).toMatchObject([{ name: ".._a.csv", mediaType: "text/csv", bytes: 5 }]);
  expect(Buffer.from((await update.files[0]?.read(signal)) ?? []).toString()).toBe("1,2,3");
  const file = { name: "b\r\nBcc: x@y.z.txt", mediaType: "text/plain", data: Buffer.from("hello") };
  await channel.send(update.address, { key: "file", piece: undefined, file, details: update.details ?? {} }, signal);
  const raw = server.sent.at(-1)?.raw ?? "";
  expect(raw).toContain("Content-Disposition: attachment");
  expect(raw).toContain(Buffer.from("hello").toString("base64"));
  expect(raw).not.toMatch(/^Bcc:/im);
});

test("nothing that stands in a subject, a name or an id becomes a header of ours", async () => {
  const { channel, signal } = await mailboxOf();
  const [piece] = channel.render("ok");
  const details = {
    subject: "Hi\r\nBcc: thief@example.com",
    messageId: "<a@b>\r\nBcc: thief@example.com",
    references: "<a@b>\r\nX-Evil: yes <c@d>",
    to: `${ann}\r\nBcc: thief@example.com`,
  };
  await channel.send({ chat: ann, thread: "t" }, { key: "injected", piece, details }, signal);
  const sent = server.sent.at(-1);
  expect(sent?.to).toEqual([ann]);
  expect(sent?.raw.split("\r\n\r\n")[0]).not.toMatch(/^(bcc|x-evil):/im);
});

test.each([
  ["a sender whom nobody vouches for", mail({ verdict: "" })],
  ["a failed check", mail({ verdict: "dmarc=fail header.from=example.net" })],
  ["a sender who is not allowed", mail({ from: "eve@example.com", verdict: "dmarc=pass header.from=example.com" })],
  ["an automatic answer", mail({ headers: ["Auto-Submitted: auto-replied"] })],
  ["a mailing list", mail({ headers: ["List-Id: <all.example.net>"] })],
  ["a mail to many", mail({ headers: ["Precedence: bulk"] })],
])("%s: tasks hear of it, and it is not answered", async (_what, raw) => {
  const { taken, news, deliver } = await mailboxOf();
  await deliver(raw);
  await deliver(mail({ subject: "the next" }));
  await eventually(() => taken.map((one) => one.title), ["the next"]);
  expect(news.map((one) => one.subject)).toEqual(["Hello", "the next"]);
});

test("Steward does not answer itself", async () => {
  const address = "steward-self@example.org";
  const { taken, news, deliver } = await mailboxOf({ settings: { address, allowedUserIds: [ann, address] } });
  await deliver(mail({ from: address, verdict: "dmarc=pass header.from=example.org" }));
  await deliver(mail({ subject: "the next" }));
  await eventually(() => taken.map((one) => one.title), ["the next"]);
  expect(news.length).toBe(2);
});

test("without the name of the server that checks, no mail is answered, and that is said", async () => {
  const { channel, taken, news, deliver } = await mailboxOf({ settings: { authServer: "" } });
  await deliver(mail());
  await eventually(() => news.length, 1);
  expect(taken).toEqual([]);
  expect(channel.life().detail).toContain("channels.email.authServer");
});

test("a wrong password is told with what to do, and nothing of it is written down", async () => {
  const scene = await mailboxOf({ isQuiet: true, secrets: { EMAIL_PASSWORD: "not the password" } });
  scene.channel.start();
  await eventually(() => scene.channel.life().state, "refused");
  expect(scene.channel.life().detail).toContain("EMAIL_PASSWORD");
  expect(JSON.stringify([scene.troubles, scene.channel.life()])).not.toContain("not the password");
  const failure = scene.channel.send({ chat: ann }, { key: "x", piece: undefined, details: {} }, scene.signal);
  await expect(failure).rejects.toMatchObject({ retry: "again", arrived: "no" });
});

test("a server that was restarted is found again, and what it got meanwhile is read", async () => {
  const own = await startMailServer();
  onTestFinished(() => own.close());
  const { taken, channel, deliver } = await mailboxOf({ on: own });
  await deliver(mail({ subject: "one" }));
  await eventually(() => taken.length, 1);
  await own.stop();
  await eventually(() => channel.life().state, "connecting");
  await own.start();
  await deliver(mail({ subject: "two" }));
  await eventually(() => taken.map((one) => one.title), ["one", "two"]);
  expect(channel.life().state).toBe("connected");
});

test("a connection can be thrown away and made anew", async () => {
  const { taken, channel, deliver } = await mailboxOf();
  const before = channel.life().lastProofMs ?? 0;
  await channel.reconnect();
  await eventually(() => (channel.life().lastProofMs ?? 0) > before);
  await deliver(mail({ subject: "after" }));
  await eventually(() => taken.map((one) => one.title), ["after"]);
});

test("a recipient whom nobody knows is not tried again, a busy server is", async () => {
  const { channel, signal } = await mailboxOf({ isQuiet: true });
  const send = () => channel.send({ chat: ann }, { key: "k", piece: { markup: "x", plain: "x" }, details: {} }, signal);
  server.fail({ at: "recipient", code: 550, words: "no such user" });
  await expect(send()).rejects.toMatchObject({ retry: "never", arrived: "no" });
  server.fail({ at: "recipient", code: 451, words: "greylisted" });
  await expect(send()).rejects.toMatchObject({ retry: "again", arrived: "no" });
  server.fail({ at: "end", code: 452, words: "full" });
  await expect(send()).rejects.toMatchObject({ retry: "again", arrived: "no" });
  server.fail({ at: "end", code: 554, words: "spam" });
  await expect(send()).rejects.toMatchObject({ retry: "never", arrived: "no" });
});

test("of a mail after which the server hung up nobody knows, and a server that is not there got nothing", async () => {
  const { channel, signal } = await mailboxOf({ isQuiet: true });
  const message = { key: "drop", piece: { markup: "x", plain: "x" }, details: {} };
  server.fail({ at: "end", drop: true });
  await expect(channel.send({ chat: ann }, message, signal)).rejects.toMatchObject({
    retry: "again",
    arrived: "maybe",
  });
  const nowhere = await mailboxOf({ isQuiet: true, settings: { smtpPort: 1 } });
  await expect(nowhere.channel.send({ chat: ann }, message, signal)).rejects.toMatchObject({
    retry: "again",
    arrived: "no",
  });
});

test("a mail that went out before the connection was lost is found by its key", async () => {
  const { channel, address, signal } = await mailboxOf({ isQuiet: true });
  const message = { key: "lost", piece: { markup: "x", plain: "x" }, details: {} };
  server.fail({ at: "end", drop: true });
  await expect(channel.send({ chat: ann, thread: "t" }, message, signal)).rejects.toMatchObject({ arrived: "maybe" });
  // no copy proves nothing: the server may have taken it before anybody could keep one
  expect(await channel.find?.({ chat: ann, thread: "t" }, "lost", signal)).toBe("unknown");
  // as a server does that keeps copies by itself
  const raw = server.sent.at(-1)?.raw ?? "";
  await server.visit(address, (client) => client.append("Sent", raw));
  expect(await channel.find?.({ chat: ann, thread: "t" }, "lost", signal)).toMatchObject({
    ref: expect.stringMatching(/@example\.org>$/),
  });
});

test("the mailbox is searched and read by tools, and nothing is marked as read by it", async () => {
  const { deliver, address, run } = await mailboxOf({ isQuiet: true });
  await deliver(mail({ subject: "Invoice\u202e 7", text: "Please pay.\n\n-- \nAnn" }));
  await deliver(mail({ subject: "Holiday", from: "Bob <bob@example.com>", text: "Beach", verdict: "" }));
  const html =
    "<html><head><style>p{}</style></head><body><p>One &amp; two</p><p><a href='https://example.com/x'>here</a></p></body></html>";
  await deliver(mail({ subject: "Page", text: html, headers: ["Content-Type: text/html"] }));

  const all = await run("email_search", {});
  expect(all.output.split("\n").map((line) => line.split(" | ").slice(2))).toEqual([
    [`Ann <${ann}>`, "Page", "unread"],
    ["Bob <bob@example.com>", "Holiday", "unread"],
    [`Ann <${ann}>`, "Invoice 7", "unread"],
  ]);
  expect(all.labels).toEqual([`mail:${ann}`, "mail:bob@example.com"]);
  expect((await run("email_search", { from: "bob" })).output).toContain("uid 2 |");
  expect((await run("email_search", { words: "beach", unseen: true, since: "2020-01-01" })).output).toContain(
    "Holiday",
  );
  expect((await run("email_search", { subject: "nothing like it" })).output).toBe("No mail was found.");
  expect((await run("email_search", { limit: 1 })).output).toContain("[2 older ones are not shown.]");
  expect(await run("email_search", { mailbox: "Nowhere" })).toMatchObject({ outcome: "failed" });

  const invoice = await run("email_read", { uid: 1 });
  expect(invoice.output).toContain("Please pay.");
  expect(invoice.output).toContain(`Sender checked: yes, by ${authServer}`);
  expect(invoice.labels).toEqual([`mail:${ann}`]);
  expect((await run("email_read", { uid: 2 })).output).toContain("Sender checked: no");
  expect((await run("email_read", { uid: 3 })).output).toContain("One & two\n\nhere (https://example.com/x)");
  expect(await run("email_read", { uid: 99 })).toMatchObject({ outcome: "failed" });
  const flags = await server.visit(address, async (client) => {
    await client.mailboxOpen("INBOX", { readOnly: true });
    return client.fetchAll("1:*", { flags: true });
  });
  expect(flags.flatMap((one) => [...(one.flags ?? [])]).filter((flag) => flag === "\\Seen")).toEqual([]);
});

test("a mail is sent by the tool in answer to another, and looked up after a crash", async () => {
  const { deliver, address, call } = await mailboxOf({ isQuiet: true });
  await deliver(mail({ id: "<q@example.net>", subject: "Question" }));
  const asked = { to: [ann], cc: ["cc@example.net"], subject: "Question", body: "**Yes**", replyToUid: 1 };
  const { bound, context } = await call("email_send", asked);
  expect(bound.destinations).toEqual([ann, "cc@example.net"]);
  expect(bound.approvalText).toContain("**Yes**");
  const claim = await bound.claim(context);
  expect(await bound.recover(context, claim)).toEqual({ kind: "unknown" });
  expect(await bound.run(context)).toMatchObject({ outcome: "done", output: `Sent to ${ann}, cc@example.net.` });
  expect(await bound.recover(context, claim)).toMatchObject({ kind: "finished" });
  const raw = server.sent.at(-1)?.raw ?? "";
  expect(raw).toContain("Subject: Re: Question");
  expect(raw).toContain("In-Reply-To: <q@example.net>");
  expect(raw).not.toContain("Auto-Submitted");
  expect((await mailsIn(server, address, "Sent")).length).toBe(1);
});

test("the tool says what a failed mail means, and takes no recipient that is more than an address", async () => {
  const { run, tool } = await mailboxOf({ isQuiet: true });
  const asked = { to: [ann], subject: "s", body: "b" };
  server.fail({ at: "recipient", code: 550, words: "no such user" });
  expect(await run("email_send", asked)).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("Nothing was sent"),
  });
  server.fail({ at: "end", drop: true });
  expect(await run("email_send", asked)).toMatchObject({
    outcome: "failed",
    output: expect.stringContaining("Nobody knows"),
  });
  const send = await tool("email_send");
  for (const to of [`${ann}\r\nBcc: x@y.z`, `Ann <${ann}>`, `${ann}, x@y.z`])
    expect(send.bind({ ...asked, to: [to] }).ok).toBe(false);
});

test("of a mail that is too large only the headers are read, and it says so", async () => {
  const { taken, deliver } = await mailboxOf();
  await deliver(mail({ subject: "Film", text: `${"x".repeat(900)}\r\n`.repeat(30_000) }));
  await eventually(() => taken.map((one) => one.title), ["Film"]);
  expect(taken[0]).toMatchObject({ text: expect.stringContaining("MB large"), files: [] });
});

test("settings that would send the password in the clear are refused", () => {
  const problem = (more: Record<string, unknown>) =>
    emailChannel.problem?.(Settings.parse({ channels: { email: { ...server.settings(), ...more } } }));
  expect(problem({})).toBeUndefined();
  expect(problem({ imapHost: "imap.example.org" })).toContain("imapEncryption");
  expect(problem({ smtpHost: "smtp.example.org" })).toContain("smtpEncryption");
  expect(problem({ address: "" })).toContain("channels.email.address");
});
