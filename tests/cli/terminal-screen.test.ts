import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "@earendil-works/pi-tui";
import { expect, test } from "vitest";
import { openChat } from "../../src/cli/chat/open-chat.ts";
import { runScreenChat } from "../../src/cli/screen/screen-chat.ts";
import { startFakeConsole } from "../scenes/cli/fake-console.ts";
import { finishedStep, startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { eventually } from "../scenes/eventually.ts";

const enter = "\r";
const escapeKey = "\u001b";
const controlC = "\u0003";
const controlD = "\u0004";

function fakeTerminal() {
  const written: string[] = [];
  let press: (key: string) => void = () => undefined;
  const nothing = (): void => undefined;
  const terminal: Terminal = {
    start: (onInput) => {
      press = onInput;
    },
    stop: nothing,
    drainInput: async () => undefined,
    write: (text) => written.push(text),
    columns: 80,
    rows: 30,
    kittyProtocolActive: false,
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
  };
  return {
    terminal,
    press: (...keys: string[]) => {
      for (const key of keys) press(key);
    },
    write: (text: string) => {
      for (const character of text) press(character);
    },
    screen: () => stripVTControlCharacters(written.join("")),
    forget: () => written.splice(0),
  };
}

async function chatOnScreen(gateway = startFakeGateway()) {
  const keyboard = fakeTerminal();
  let nowMs = 1_000_000;
  let ids = 0;
  const world = { nowMs: () => nowMs, newId: (prefix: string) => `${prefix}-${++ids}` };
  const chat = await openChat(
    { connect: gateway.connect, pause: async () => undefined, maxReconnects: 5, world },
    "terminal--default",
  );
  const { console } = startFakeConsole({ terminal: true });
  const welcome = {
    name: "Steward",
    version: "1.0",
    model: "offline/rules",
    folder: "/home/ann/.steward",
    pageLink: "http://127.0.0.1:18789/#code=abc",
  };
  const ended = runScreenChat({
    chat,
    console,
    home: "/home/ann/.steward",
    welcome,
    world,
    terminal: keyboard.terminal,
  });
  const see = (text: string) => eventually(keyboard.screen, expect.stringContaining(text));
  await see("offline/rules · terminal--default");
  return {
    ...keyboard,
    gateway,
    chat,
    see,
    later: (ms: number) => {
      nowMs += ms;
    },
    ended: ended.finally(() => chat.close()),
  };
}
function begun(chat: { gateway: ReturnType<typeof startFakeGateway> }) {
  return eventually(() => chat.gateway.events.some((event) => event.type === "turn.started"));
}

test("a message is sent with Enter and its answer shown as markdown", async () => {
  const chat = await chatOnScreen();
  chat.gateway.script((message) => chat.gateway.answer(message, "It is **sunny**."));
  chat.write("How is the weather?");
  chat.press(enter);
  await chat.see("› How is the weather?");
  await chat.see("It is sunny.");
  await chat.see("15 tokens  $0.001");
  chat.press(controlD);
  expect(await chat.ended).toBe(0);
});

test("an approval is given with y and Enter", async () => {
  const chat = await chatOnScreen();
  chat.gateway.script((message) => chat.gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
  chat.write("clean up");
  chat.press(enter);
  await chat.see("rm -rf build");
  chat.later(1000);
  chat.write("y");
  chat.press(enter);
  await eventually(() => chat.gateway.calls.some((call) => call.name === "exec.approve"));
  chat.press(controlD);
  await chat.ended;
});

test("a question that has just come up is not answered by a line meant for something else", async () => {
  const chat = await chatOnScreen();
  chat.gateway.script((message) => chat.gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
  chat.write("clean up");
  chat.press(enter);
  await chat.see("rm -rf build");
  chat.write("yes");
  chat.press(enter);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(chat.gateway.calls.filter((call) => call.name.startsWith("exec."))).toEqual([]);
  chat.later(1000);
  chat.press(enter);
  await eventually(() => chat.gateway.calls.some((call) => call.name === "exec.approve"));
  chat.press(controlD);
  await chat.ended;
});

test("a reason that begins with y is a no with a reason", async () => {
  const chat = await chatOnScreen();
  chat.gateway.script((message) => chat.gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
  chat.write("clean up");
  chat.press(enter);
  await chat.see("rm -rf build");
  chat.later(1000);
  chat.write("you may not");
  chat.press(enter);
  await eventually(() => chat.gateway.calls.some((call) => call.name === "exec.deny"));
  expect(chat.gateway.calls.at(-1)?.params).toEqual({ approvalId: "ap1", reason: "you may not" });
  chat.press(controlD);
  await chat.ended;
});

test.each([
  ["Esc", escapeKey],
  ["Ctrl+C", controlC],
])("%s stops the turn", async (_name, key) => {
  const chat = await chatOnScreen();
  chat.gateway.script(({ seq, conversation }) => {
    chat.gateway.append({ type: "turn.started", conversation, turn: "turn-0", messages: [seq] });
  });
  chat.write("work");
  chat.press(enter);
  await begun(chat);
  chat.press(key);
  await chat.see("Stopped.");
  expect(chat.gateway.calls.at(-1)?.name).toBe("chat.abort");
  chat.press(controlD);
  await chat.ended;
});

test("Ctrl+C twice leaves while something runs, once when nothing does", async () => {
  const busy = await chatOnScreen();
  busy.gateway.script(({ seq, conversation }) => {
    busy.gateway.append({ type: "turn.started", conversation, turn: "turn-0", messages: [seq] });
  });
  busy.write("work");
  busy.press(enter);
  await begun(busy);
  busy.press(controlC, controlC);
  expect(await busy.ended).toBe(0);
  const idle = await chatOnScreen();
  idle.press(controlC);
  expect(await idle.ended).toBe(0);
});

test("Ctrl+C empties a half-written message before it leaves", async () => {
  const chat = await chatOnScreen();
  chat.write("never mind");
  chat.press(controlC);
  chat.write("hello");
  chat.press(enter);
  await chat.see("› hello");
  chat.press(controlD);
  await chat.ended;
  expect(chat.gateway.calls.filter((call) => call.name === "chat.send")).toHaveLength(1);
});

test("a command without a name lets the person pick from a list", async () => {
  const chat = await chatOnScreen();
  chat.write("/model ");
  chat.press(enter);
  await chat.see("anthropic/claude-sonnet-4-5");
  chat.press("\u001b[B", enter);
  await chat.see("This conversation now uses anthropic/claude-sonnet-4-5.");
  chat.press(controlD);
  await chat.ended;
});

test("an unknown command is not sent to the model", async () => {
  const chat = await chatOnScreen();
  chat.write("/modle x");
  chat.press(enter);
  await chat.see("There is no command /modle. Did you mean /model?");
  chat.press(controlD);
  await chat.ended;
  expect(chat.gateway.calls.some((call) => call.name === "chat.send")).toBe(false);
});

test("a lost connection is mended and told in one quiet line", async () => {
  const chat = await chatOnScreen();
  chat.gateway.dropConnections();
  await chat.see("Connected again.");
  chat.write("still there?");
  chat.press(enter);
  await chat.see("› still there?");
  chat.press(controlD);
  await chat.ended;
});

test("when it leaves, the conversation stays on the screen and the editor goes", async () => {
  const gateway = startFakeGateway();
  const place = { conversation: "terminal--default", turn: "t" };
  gateway.append(finishedStep(place, 0, "What was said"));
  gateway.append({ ...place, type: "turn.finished", ending: "answered" });
  const chat = await chatOnScreen(gateway);
  await chat.see("What was said");
  chat.forget();
  chat.press(controlD);
  await chat.ended;
  expect(chat.screen()).not.toContain("─────");
});

test("a command and Tab or Enter in one burst are completed as when they are typed slowly", async () => {
  const chat = await chatOnScreen();
  chat.write("/mo\t");
  chat.write("sonnet");
  chat.press(enter);
  await chat.see("This conversation now uses anthropic/claude-sonnet-4-5.");
  chat.write("/usa");
  chat.press(enter);
  await eventually(() => chat.gateway.calls.filter(({ name }) => name === "usage.get").length > 1);
  chat.press(controlD);
  await chat.ended;
});

test("a list of commands that was closed with Esc stays closed", async () => {
  const chat = await chatOnScreen();
  chat.write("/mo");
  await chat.see("List models");
  chat.press(escapeKey, enter);
  await chat.see("There is no command /mo. Did you mean /model?");
  chat.press(controlD);
  await chat.ended;
});

test("Enter pressed before the terminal was ready sends the message, and afterwards Ctrl+J is a new line", async () => {
  const chat = await chatOnScreen();
  chat.write("typed early\n");
  await chat.see("› typed early");
  chat.write("one\ntwo");
  chat.press(enter);
  await eventually(() =>
    chat.gateway.events.some((event) => event.type === "message.received" && event.text === "one\ntwo"),
  );
  chat.press(controlD);
  await chat.ended;
});
