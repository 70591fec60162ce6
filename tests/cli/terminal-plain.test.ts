import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { commandLineDeps, startFakeConsole } from "../scenes/cli/fake-console.ts";
import type { FakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { finishedStep, startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";
import { eventually } from "../scenes/eventually.ts";

async function piped(input: string, gateway = startFakeGateway()) {
  const fake = startFakeConsole();
  fake.type(input);
  fake.endInput();
  const code = await runCommandLine(commandLineDeps(gateway, fake.console), []);
  return { code, output: fake.output(), errors: fake.errors(), sent: sentTexts(gateway) };
}

function sentTexts(gateway: FakeGateway): string[] {
  return gateway.events.flatMap((event) => (event.type === "message.received" ? [event.text] : []));
}

function chatting(gateway = startFakeGateway(), argv = ["chat", "--plain"]) {
  const fake = startFakeConsole({ terminal: true });
  const ended = runCommandLine(commandLineDeps(gateway, fake.console), argv);
  const see = (text: string) => eventually(fake.output, expect.stringContaining(text));
  return { ...fake, gateway, ended, see };
}

describe("lines from a program", () => {
  test("are answered one after the other, and the output holds the answers only", async () => {
    const gateway = startFakeGateway();
    const order: string[] = [];
    gateway.script(async (message) => {
      order.push(`${message.text} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      gateway.answer(message, `Answer to ${message.text}`);
      order.push(`${message.text} ends`);
    });
    expect(await piped("one\n\ntwo\n", gateway)).toMatchObject({
      code: 0,
      output: "Answer to one\nAnswer to two\n",
      errors: "",
    });
    expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  });
  test("leave an approval open and say on the errors how to give it", async () => {
    const gateway = startFakeGateway();
    gateway.script((message) => gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
    expect(await piped("clean up\n", gateway)).toMatchObject({
      code: 0,
      output: "",
      errors: "This waits for your approval:\nrm -rf build\nAllow it with: steward approve ap1\n",
    });
  });
  test.each([
    ["y", "exec.approve", { approvalId: "ap1", always: false }],
    ["always", "exec.approve", { approvalId: "ap1", always: true }],
    ["n", "exec.deny", { approvalId: "ap1" }],
  ])(
    "answer a question that waits with a plain %j, and the next line waits for what comes of it",
    async (line, name, params) => {
      const gateway = startFakeGateway();
      const place = { conversation: "terminal--default", turn: "turn-1" };
      gateway.script((message) =>
        message.text === "clean up"
          ? gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" })
          : gateway.answer(message, `You said ${message.text}.`),
      );
      gateway.onAnswer(() => {
        gateway.append(finishedStep(place, 1, "It is settled."));
        gateway.append({ ...place, type: "turn.finished", ending: "answered" });
      });
      const { code, output, sent } = await piped(`clean up\n${line}\nand now\n`, gateway);
      expect({ code, output, sent }).toEqual({
        code: 0,
        output: "It is settled.\nYou said and now.\n",
        sent: ["clean up", "and now"],
      });
      expect(gateway.calls).toContainEqual({ name, params });
    },
  );
  test("may hold commands, which are not sent", async () => {
    const { output, sent } = await piped("/modle\n/quit\nnever\n");
    expect(output).toBe("There is no command /modle. Did you mean /model? To send it as a message, begin with //.\n");
    expect(sent).toEqual([]);
  });
  test("that begin with two slashes are sent with one", async () => {
    expect((await piped("//etc/hosts, what is it?\n")).sent).toEqual(["/etc/hosts, what is it?"]);
  });
  test("do not see what was said before", async () => {
    const gateway = startFakeGateway();
    await piped("yesterday\n", gateway);
    expect((await piped("today\n", gateway)).output).toBe("today\n");
  });
  test("get warnings on the errors", async () => {
    const gateway = startFakeGateway();
    gateway.script(({ conversation, seq }) => {
      gateway.append({ type: "turn.started", conversation, turn: "t", messages: [seq] });
      gateway.append({ type: "turn.finished", conversation, turn: "t", ending: "step_limit" });
    });
    expect((await piped("go\n", gateway)).errors).toBe("Ended at the step limit. Say “go on” to let it continue.\n");
  });
});

describe("a person at a plain terminal", () => {
  test("is welcomed, shown the end of the conversation, and asked for a message", async () => {
    const gateway = startFakeGateway();
    await piped("yesterday\n", gateway);
    const chat = chatting(gateway);
    await chat.see("> ");
    expect(chat.output()).toBe(
      "Jeeves 1.2.3 · offline/rules · /home/ann/.steward\n" +
        "In the browser: http://127.0.0.1:18789/#code=abc\n" +
        "Write a message and press Enter. /help lists the commands.\n" +
        "you: yesterday\nyesterday\n> ",
    );
    chat.endInput();
    expect(await chat.ended).toBe(0);
  });
  test("sees the answer while it is written, without control characters", async () => {
    const chat = chatting();
    const place = { conversation: "terminal--default", turn: "t" };
    chat.gateway.script(({ seq }) => {
      chat.gateway.append({ ...place, type: "turn.started", messages: [seq] });
      chat.gateway.signal({ ...place, type: "live.text", step: 0, delta: "Hel\u001b[2J" });
    });
    await chat.see("> ");
    chat.type("hi\n");
    await chat.see("Hel[2J");
    chat.gateway.append(finishedStep(place, 0, "Hel\u001b[2Jlo"));
    chat.gateway.append({ ...place, type: "turn.finished", ending: "answered" });
    await chat.see("Hel[2Jlo\n> ");
    chat.type("/quit\n");
    expect(await chat.ended).toBe(0);
    expect(chat.output()).not.toContain("\u001b");
  });
  test("sees the whole text again when a step began anew", async () => {
    const chat = chatting();
    const place = { conversation: "terminal--default", turn: "t" };
    chat.gateway.script(({ seq }) => {
      chat.gateway.append({ ...place, type: "turn.started", messages: [seq] });
      chat.gateway.signal({ ...place, type: "live.text", step: 0, delta: "Wrong" });
      chat.gateway.signal({ ...place, type: "live.text_reset", step: 0 });
      chat.gateway.signal({ ...place, type: "live.text", step: 0, delta: "Right" });
      chat.gateway.append(finishedStep(place, 0, "Right"));
      chat.gateway.append({ ...place, type: "turn.finished", ending: "answered" });
    });
    chat.type("hi\n");
    await chat.see("Wrong\nRight\n> ");
    chat.endInput();
    await chat.ended;
  });
  test.each([
    ["y", "exec.approve", { approvalId: "ap1", always: false }],
    ["always", "exec.approve", { approvalId: "ap1", always: true }],
    ["", "exec.deny", { approvalId: "ap1" }],
    ["n", "exec.deny", { approvalId: "ap1" }],
    ["not now", "exec.deny", { approvalId: "ap1", reason: "not now" }],
  ])("answers an approval with %j", async (line, name, params) => {
    const chat = chatting();
    chat.gateway.script((message) => chat.gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
    chat.type("clean up\n");
    await chat.see("shell asks first: it changes something\nrm -rf build\nAllow? [y/N/always] ");
    chat.type(`${line}\n`);
    await eventually(() => chat.gateway.calls.some((call) => call.name.startsWith("exec.")));
    expect(chat.gateway.calls.at(-1)).toEqual({ name, params });
    chat.endInput();
    await chat.ended;
  });
  test("stops the turn with Ctrl+C, and leaves with it when nothing runs", async () => {
    const chat = chatting();
    chat.gateway.script(({ seq, conversation }) => {
      chat.gateway.append({ type: "turn.started", conversation, turn: "turn-0", messages: [seq] });
    });
    await chat.see("> ");
    chat.type("hi\n");
    await eventually(() => chat.gateway.events.length === 2);
    chat.interrupt();
    await chat.see("Stopped.\n> ");
    chat.interrupt();
    expect(await chat.ended).toBe(0);
  });
  test("lists the models and chooses one for the conversation", async () => {
    const chat = chatting();
    chat.type("/model\n");
    await chat.see("*  offline/rules                200k tokens · built in\n");
    chat.type("/model sonnet\n");
    await chat.see("This conversation now uses anthropic/claude-sonnet-4-5.\n");
    chat.type("/thinking lots\n");
    await chat.see("There is no level “lots”. It is one of off, low, medium, high, max.\n");
    chat.endInput();
    await chat.ended;
    expect(chat.gateway.calls.filter(({ name }) => name === "sessions.configure")).toEqual([
      {
        name: "sessions.configure",
        params: { sessionKey: "terminal--default", model: "anthropic/claude-sonnet-4-5" },
      },
    ]);
  });
  test("begins a new conversation, and messages go there", async () => {
    const chat = chatting();
    chat.type("/new\n");
    await chat.see("A new conversation: terminal--fresh");
    chat.type("hello\n");
    await chat.see("hello\n> ");
    chat.endInput();
    await chat.ended;
    expect(chat.gateway.events.find((event) => event.type === "message.received")?.conversation).toBe(
      "terminal--fresh",
    );
  });
  test("goes to the conversation named by --session", async () => {
    const chat = chatting(startFakeGateway(), ["--plain", "--session", "work"]);
    chat.type("hello\n");
    await chat.see("hello\n> ");
    chat.endInput();
    await chat.ended;
    expect(chat.gateway.events[0]?.conversation).toBe("terminal--work");
  });
});
