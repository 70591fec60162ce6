import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openChannelScene } from "../../../tests/scenes/channels/channel-scene.ts";
import { mailsIn, password, startMailServer } from "../../../tests/scenes/channels/mail-server.ts";
import { eventually } from "../../../tests/scenes/eventually.ts";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { emailChannel } from "./email-channel.ts";
import { connectImap, imapPlace, openToRead } from "./imap-connection.ts";
import { openMailReader } from "./reading/mail-reader.ts";
import { openMailTaker } from "./take-mails.ts";

const minuteMs = 60_000;

/** Two mails wait. A minute passes with each try, each over a connection of its own. */
async function waitingMails(options: { imapPort?(port: number): Promise<number>; news?(subject: string): void }) {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const imapPort = (await options.imapPort?.(server.imapPort)) ?? server.imapPort;
  const scene = await openChannelScene(emailChannel, {
    settings: server.settings({ imapPort }),
    secrets: { EMAIL_PASSWORD: password },
  });
  let nowMs = 0;
  const heard: string[] = [];
  const reader = openMailReader(scene.base);
  onTestFinished(() => reader.close());
  let taker = begin(false);
  const place = imapPlace(scene.settings.channels.email, password);
  await visit(async () => undefined);
  for (const subject of ["the worst", "the next"])
    await server.deliver("steward@example.org", `From: Ann <ann@example.net>\r\nSubject: ${subject}\r\n\r\nhello`);
  await eventually(async () => (await mailsIn(server, "steward@example.org")).length, 2);
  return { ...scene, heard, tryAgain, liveAgain };

  /** A process that knows nothing but what was remembered. `isDoomed`: it is killed by the first mail that it reads. */
  function begin(isDoomed: boolean) {
    let isDead = false;
    const base: ChannelBase = {
      ...scene.base,
      world: { ...scene.base.world, nowMs: () => nowMs },
      async news({ subject }) {
        options.news?.(subject);
        heard.push(subject);
      },
      async remember(name, value) {
        if (isDead) throw new Error("the process is dead");
        await scene.base.remember(name, value);
      },
    };
    return openMailTaker(base, {
      ...reader,
      async head(raw) {
        isDead = isDoomed;
        if (isDead) throw new Error("the process is dead");
        return reader.head(raw);
      },
    });
  }

  async function liveAgain(isDoomed = false): Promise<"taken" | "failed"> {
    taker = begin(isDoomed);
    return visit(async (client) => taker.takeNew(client)).then(
      () => "taken",
      () => "failed",
    );
  }

  async function tryAgain(passMs = minuteMs): Promise<"taken" | "failed"> {
    nowMs += passMs;
    return visit((client) => taker.takeNew(client)).then(
      () => "taken",
      () => "failed",
    );
  }

  async function visit(work: (client: Awaited<ReturnType<typeof connectImap>>) => Promise<void>): Promise<void> {
    const client = await connectImap(place, scene.signal);
    try {
      await openToRead(client, "INBOX");
      await taker.begin(client);
      await work(client);
    } finally {
      client.close();
    }
  }
}

test("a mail that can never be kept is told of, and does not hold up the next one for ever", async () => {
  const { tryAgain, heard, troubles, remembered } = await waitingMails({
    news(subject) {
      if (subject === "the worst") throw new Error("no room for it");
    },
  });
  for (let tries = 1; tries < 20; tries++) expect(await tryAgain()).toBe("failed");
  expect([heard, troubles]).toEqual([[], []]);
  expect(await tryAgain()).toBe("taken");
  expect(heard).toEqual(["the next"]);
  expect(troubles).toEqual([
    "Email: mail 1 in INBOX, from ann@example.net, could not be taken in 20 tries and was passed over. Read it in your mail program. no room for it",
  ]);
  expect([...remembered.values()].join()).toContain('"lastUid":2');
});

test("many tries in a short time are no reason to pass a mail over", async () => {
  let isRoom = false;
  const { tryAgain, heard } = await waitingMails({
    news() {
      if (!isRoom) throw new Error("no room for it");
    },
  });
  for (let tries = 1; tries < 25; tries++) expect(await tryAgain(1_000)).toBe("failed");
  isRoom = true;
  expect(await tryAgain()).toBe("taken");
  expect(heard).toEqual(["the worst", "the next"]);
});

test("a disk that takes nothing costs no mail, however long it lasts", async () => {
  const { base, tryAgain, heard, remembered } = await waitingMails({
    news() {
      if (isFull) throw new Error("the disk is full");
    },
  });
  let isFull = true;
  const write = remembered.set.bind(remembered);
  remembered.set = (name, value) => {
    if (isFull) throw new Error("the disk is full");
    return write(name, value);
  };
  for (let tries = 1; tries < 25; tries++) expect(await tryAgain()).toBe("failed");
  isFull = false;
  expect(await base.recall("position:INBOX")).toContain('"lastUid":0');
  expect(await tryAgain()).toBe("taken");
  expect(heard).toEqual(["the worst", "the next"]);
});

test("a mail at which the server hangs up is passed over in the end, too", async () => {
  const { tryAgain, heard, troubles } = await waitingMails({ imapPort: startWireThatHangsUp });
  for (let tries = 1; tries < 20; tries++) expect(await tryAgain()).toBe("failed");
  expect(heard).toEqual([]);
  // that one is over, and the connection is lost for the next one
  expect(await tryAgain()).toBe("failed");
  expect(await tryAgain()).toBe("taken");
  expect(heard).toEqual(["the next"]);
  expect(troubles[0]).toContain("Email: mail 1 in INBOX could not be taken in 20 tries and was passed over.");
});

test("a mail that ends the program twice is told of and passed over, and the next one is read", async () => {
  const { liveAgain, heard, troubles } = await waitingMails({});
  expect(await liveAgain(true)).toBe("failed");
  expect(await liveAgain(true)).toBe("failed");
  expect([heard, troubles]).toEqual([[], []]);
  expect(await liveAgain()).toBe("taken");
  expect(heard).toEqual(["the next"]);
  expect(troubles).toEqual([
    "Email: Steward has ended twice while it read mail 1 in INBOX, so this mail was passed over. Read it in your mail program.",
  ]);
});

test("a program that was ended once while it read a mail reads it again", async () => {
  const { liveAgain, heard, troubles } = await waitingMails({});
  expect(await liveAgain(true)).toBe("failed");
  expect(await liveAgain()).toBe("taken");
  expect([heard, troubles]).toEqual([["the worst", "the next"], []]);
});

test("a mail that could not be kept is no mail that ends the program, however often it is started anew", async () => {
  let isRoom = false;
  const { liveAgain, heard, troubles } = await waitingMails({
    news() {
      if (!isRoom) throw new Error("no room for it");
    },
  });
  for (let starts = 1; starts < 5; starts++) expect(await liveAgain()).toBe("failed");
  isRoom = true;
  expect(await liveAgain()).toBe("taken");
  expect([heard, troubles]).toEqual([["the worst", "the next"], []]);
});

/** Hands bytes on to a port, and hangs up when the first mail is asked for. */
async function startWireThatHangsUp(port: number): Promise<number> {
  const server = createServer((outside) => {
    const inside = connect(port, "127.0.0.1");
    for (const socket of [outside, inside]) {
      socket.on("error", () => undefined);
      socket.on("close", () => void [outside, inside].map((one) => one.destroy()));
    }
    inside.pipe(outside);
    outside.on("data", (bytes: Buffer) =>
      /UID FETCH 1 /.test(bytes.toString()) ? outside.destroy() : inside.write(bytes),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
