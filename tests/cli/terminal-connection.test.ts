import { expect, test } from "vitest";
import { openChat } from "../../src/cli/chat/open-chat.ts";
import { untilSettled } from "../../src/cli/chat/until-settled.ts";
import { CallRefused } from "../../src/contract/wire/client.ts";
import type { FakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { finishedStep, startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { eventually } from "../scenes/eventually.ts";

function open(gateway: FakeGateway, maxReconnects = 5) {
  let ids = 0;
  const world = { nowMs: () => 0, newId: (prefix: string) => `${prefix}-${++ids}` };
  return openChat(
    { connect: gateway.connect, pause: async () => undefined, maxReconnects, world },
    "terminal--default",
  );
}
function received(gateway: FakeGateway): string[] {
  return gateway.events.flatMap((event) => (event.type === "message.received" ? [event.text] : []));
}

test.each(["before", "after"] as const)(
  "a message lost %s it reached the gateway is there once in the end",
  async (when) => {
    const gateway = startFakeGateway();
    const chat = await open(gateway);
    gateway.loseNextSend(when);
    chat.send("hello");
    await untilSettled(chat);
    expect(received(gateway)).toEqual(["hello"]);
    expect(chat.state().items.filter((item) => item.kind === "person")).toHaveLength(1);
    expect(chat.state().items).toContainEqual(expect.objectContaining({ kind: "answer", text: "hello" }));
    await chat.close();
  },
);

test("messages keep their order over a lost connection", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway);
  gateway.loseNextSend("before");
  for (const text of ["one", "two", "three"]) chat.send(text);
  await untilSettled(chat);
  expect(received(gateway)).toEqual(["one", "two", "three"]);
  await chat.close();
});

test("what happened while the connection was lost is shown once it is back, and nothing twice", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway);
  const place = { conversation: "terminal--default", turn: "t" };
  gateway.script(({ seq }) => {
    gateway.append({ ...place, type: "turn.started", messages: [seq] });
    gateway.signal({ ...place, type: "live.text", step: 0, delta: "Half an ans" });
  });
  chat.send("hello");
  await eventually(() => chat.state().items.some((item) => item.kind === "answer"));
  gateway.failConnects(2);
  gateway.dropConnections();
  gateway.append(finishedStep(place, 0, "A whole answer"));
  gateway.append({ ...place, type: "turn.finished", ending: "answered" });
  await untilSettled(chat);
  expect(chat.state().items.map((item) => ("text" in item ? item.text : item.kind))).toEqual([
    "hello",
    "Connected again.",
    "A whole answer",
    "cost",
  ]);
  await chat.close();
});

test("a message that the gateway refuses is told and not tried again", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway);
  gateway.refuse("chat.send", new CallRefused("invalid", "The message is too long."));
  chat.send("hello");
  await untilSettled(chat);
  expect(chat.state().items).toEqual([
    expect.objectContaining({ tone: "error", text: "Your message was not sent. The message is too long." }),
  ]);
  expect(gateway.calls.filter((call) => call.name === "chat.send")).toHaveLength(1);
  await chat.close();
});

test("trouble inside the gateway is tried again with the same key", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway);
  gateway.refuse("chat.send", new CallRefused("failed", "The disk is busy."));
  chat.send("hello");
  await eventually(() => gateway.calls.filter((call) => call.name === "chat.send").length >= 3);
  const keys = gateway.calls.flatMap(({ name, params }) => (name === "chat.send" ? [JSON.stringify(params)] : []));
  expect(new Set(keys).size).toBe(1);
  await chat.close();
});

test("a connection that does not come back is given up with a sentence", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway, 3);
  gateway.failConnects(10);
  gateway.dropConnections();
  await expect(chat.gone).resolves.toMatchObject({
    name: "Failure",
    message: "The connection to the assistant was lost and could not be made again. nobody answers",
  });
  await chat.close();
});

test("what happens while another conversation is being opened is not lost", async () => {
  const gateway = startFakeGateway();
  const chat = await open(gateway);
  const switching = chat.switchTo("terminal--other");
  gateway.append({
    type: "message.received",
    conversation: "terminal--other",
    messageId: "m",
    channel: "terminal",
    sender: { kind: "owner", id: "o" },
    text: "meanwhile",
    attachments: [],
  });
  await switching;
  expect(chat.state().waiting).toEqual([expect.objectContaining({ text: "meanwhile" })]);
  await chat.close();
});
