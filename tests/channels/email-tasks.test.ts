// From a real mailbox to a task and back: a mail comes, its task runs, and the owner hears of it in their chat.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anna, openChat } from "../scenes/channels/chat-scene.ts";
import { type MailServer, password, startMailServer } from "../scenes/channels/mail-server.ts";

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const address = "steward@example.org";

function mail(from: string, subject: string, id: string): string {
  const head = [`From: ${from}`, `To: ${address}`, `Subject: ${subject}`, `Message-ID: <${id}@example.org>`];
  return [...head, "Date: Mon, 16 Nov 2026 10:00:00 +0000", "", "It is 12 dollars."].join("\r\n");
}

test("a mail that a task waits for begins it, and the owner is told in their chat", async () => {
  const chat = await openChat({
    script: ({ messages }) => ({
      text: JSON.stringify(messages).includes("12 dollars") ? "The invoice is 12 dollars." : "Hello.",
    }),
    environment: { EMAIL_PASSWORD: password },
    channels: { email: { enabled: true, ...server.settings({ address }) } },
  });
  chat.telegram.say(anna.id, "hello");
  await chat.until(() => chat.shown().includes("Hello."));
  const trigger = { kind: "mail", from: "boss@example.org", subject: "invoice" };
  await chat.call("tasks.createEventTrigger", { prompt: "Tell me what it costs.", trigger });
  await chat.until(async () => {
    const { channels } = (await chat.call("channels.list", {})) as { channels: { name: string; state: string }[] };
    return channels.some(({ name, state }) => name === "email" && state === "connected");
  });
  await server.deliver(address, mail("eve@example.org", "Your invoice", "1"));
  await server.deliver(address, mail(address, "Your invoice", "2"));
  await server.deliver(address, mail("The Boss <Boss@example.org>", "Your Invoice", "3"));
  await chat.until(() => chat.shown().includes("The invoice is 12 dollars."));
  const begun = (await chat.untilEvent("message.received")).filter(({ run }) => run !== undefined);
  expect(begun).toMatchObject([{ run: { key: "mail:<3@example.org>" }, labels: ["mail:boss@example.org"] }]);
  expect(server.sent).toEqual([]);
});
