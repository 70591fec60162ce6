import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openChannelScene } from "../../../tests/scenes/channels/channel-scene.ts";
import { password, startMailServer } from "../../../tests/scenes/channels/mail-server.ts";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { emailChannel } from "./email-channel.ts";
import { imapPlace } from "./imap-connection.ts";
import { openMailReader } from "./reading/mail-reader.ts";
import { openMailTaker } from "./take-mails.ts";
import { watchMailbox } from "./watch-mailbox.ts";

/** Hands bytes on to a port. Told to, it swallows all that comes after the next IDLE on that connection. */
async function startWire(port: number) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let isArmed = false;
  const server = createServer((outside) => {
    connections++;
    const inside = connect(port, "127.0.0.1");
    outside.pipe(inside).pipe(outside);
    for (const socket of [outside, inside]) sockets.add(socket.on("error", () => undefined));
    outside.on("data", (bytes: Buffer) => {
      if (!isArmed || !bytes.includes("IDLE")) return;
      isArmed = false;
      outside.unpipe(inside).resume();
      inside.unpipe(outside).resume();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    isFrozen: () => !isArmed,
    freeze() {
      isArmed = true;
    },
  };
}

test("a server that has fallen silent is noticed, and the mails are read over a new connection", async () => {
  const server = await startMailServer();
  onTestFinished(() => server.close());
  const wire = await startWire(server.imapPort);
  const settings = server.settings({ imapPort: wire.port });
  const scene = await openChannelScene(emailChannel, { settings, secrets: { EMAIL_PASSWORD: password } });
  const news: string[] = [];
  const base = { ...scene.base, news: async (mail: { subject: string }) => void news.push(mail.subject) };
  const place = imapPlace(scene.settings.channels.email, password);
  const reader = openMailReader(base);
  onTestFinished(() => reader.close());
  const watch = watchMailbox({
    base,
    place,
    taker: openMailTaker(base, reader),
    times: { renewMs: 300, answerMs: 5_000 },
  });
  onTestFinished(() => watch.close());
  watch.start();
  await eventually(() => watch.life().state, "connected");
  const before = wire.connections();

  wire.freeze();
  await eventually(() => wire.isFrozen());
  await server.deliver("steward@example.org", "Subject: still there?\r\n\r\nhello");
  await eventually(() => news, ["still there?"]);
  expect(wire.connections()).toBeGreaterThan(before);
  const proofMs = watch.life().lastProofMs ?? 0;
  await eventually(() => (watch.life().lastProofMs ?? 0) > proofMs);
});
