import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import type { CommandLineDeps } from "../../src/cli/command-line-deps.ts";
import { Failure } from "../../src/contract/failure.ts";
import type { Command } from "../../src/contract/room/command.ts";
import { CallRefused } from "../../src/contract/wire/client.ts";
import { commandLineDeps, startFakeConsole } from "../scenes/cli/fake-console.ts";
import { finishedStep, startFakeGateway } from "../scenes/cli/fake-gateway-client.ts";

async function steward(argv: string[], more: Partial<CommandLineDeps> = {}, gateway = startFakeGateway(), input = "") {
  const fake = startFakeConsole();
  fake.type(input);
  fake.endInput();
  const code = await runCommandLine(commandLineDeps(gateway, fake.console, more), argv);
  return { code, output: fake.output(), errors: fake.errors(), gateway };
}

describe("the program itself", () => {
  test("prints its version", async () => {
    expect(await steward(["--version"])).toMatchObject({ code: 0, output: "1.2.3\n", errors: "" });
  });
  test("shows every command in its help", async () => {
    const { code, output } = await steward(["--help"]);
    expect(code).toBe(0);
    for (const name of [
      "chat",
      "ask",
      "daemon",
      "status",
      "sessions",
      "usage",
      "config",
      "approvals",
      "approve",
      "deny",
      "doctor",
    ])
      expect(output).toContain(`\n  ${name}`);
  });
  test("suggests the command that was meant, and exits with 2", async () => {
    const { code, errors } = await steward(["statsu"]);
    expect(code).toBe(2);
    expect(errors).toBe("Unknown command 'statsu'; did you mean status? What there is: steward --help\n");
  });
  test("suggests the option that was meant, and exits with 2", async () => {
    const { code, errors } = await steward(["status", "--jsno"]);
    expect(code).toBe(2);
    expect(errors).toBe("Unknown option '--jsno'; did you mean --json? What there is: steward status --help\n");
  });

  test("shows the help of a group when only the group is named", async () => {
    const { code, output } = await steward(["token"]);
    expect(output).toContain("Usage: steward token");
    expect(code).toBe(0);
  });

  test("says that there is no help for what there is not", async () => {
    const { code, errors } = await steward(["help", "nonsense"]);
    expect(errors).toBe("There is no such command. What there is: steward --help\n");
    expect(code).toBe(2);
  });
  test("suggests what was meant below a command as well", async () => {
    expect(await steward(["config", "pth"])).toMatchObject({
      code: 2,
      errors: expect.stringContaining("did you mean path?"),
    });
  });
  test("shows a failure meant for people as it is", async () => {
    const connect = async () => Promise.reject(new Failure("The folder is in use. Stop the other Steward first."));
    expect(await steward(["status"], { connect })).toMatchObject({
      code: 1,
      errors: "The folder is in use. Stop the other Steward first.\n",
    });
  });
  test("shows any other failure as one sentence with the place of the log, never a stack", async () => {
    const connect = async () => Promise.reject(new TypeError("x is not a function"));
    expect(await steward(["status"], { connect })).toMatchObject({
      code: 1,
      errors:
        "Something went wrong inside Steward: x is not a function. The log has the details: /home/ann/.steward/logs.\n",
    });
  });
  test("ends quietly when nobody reads its output any more", async () => {
    const fake = startFakeConsole();
    const output = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("EPIPE"), { code: "EPIPE" })),
    });
    const deps = commandLineDeps(startFakeGateway(), { ...fake.console, output });
    fake.type("hello\n");
    expect(await runCommandLine(deps, ["chat"])).toBe(0);
    expect(fake.errors()).toBe("");
  });
  test("runs commands that other rooms offer, with their arguments and options", async () => {
    const backup: Command = {
      name: "backup",
      summary: "Save everything",
      arguments: [{ form: "<file>", description: "where to" }],
      options: [
        { form: "--force", description: "overwrite" },
        { form: "--as <name>", description: "what to call it" },
      ],
      run: async ({ arguments: files, flags, values }, { console }) => {
        console.output.write(`${files.join()} ${flags.has("force")} ${values.as}\n`);
        return 3;
      },
    };
    expect(await steward(["backup", "all.tar", "--force", "--as", "first"], { commands: [backup] })).toMatchObject({
      code: 3,
      output: "all.tar true first\n",
    });
  });
});

describe("looking", () => {
  test("status tells what runs", async () => {
    const { output } = await steward(["status"]);
    expect(output).toContain("Runs           as a daemon, process 7, since 1 min 1 s\n");
  });
  test("status --json is what the gateway says, whole", async () => {
    const { output } = await steward(["status", "--json"]);
    expect(JSON.parse(output)).toMatchObject({ status: "ok", version: "0.1.0", waitingApprovals: 0 });
  });
  test("sessions are listed newest first, their titles without escape sequences", async () => {
    const gateway = startFakeGateway();
    const session = { messages: 2, lastSeq: 1, state: "idle" } as const;
    gateway.sessions.push({ ...session, sessionKey: "terminal--a", title: "old", lastAtMs: 0 });
    gateway.sessions.push({ ...session, sessionKey: "terminal--b", title: "new\u001b[2J", lastAtMs: 900_000 });
    const { output } = await steward(["sessions"], {}, gateway);
    expect(output.split("\n").slice(1, 3)).toEqual([
      "terminal--b          2  2 min ago     new",
      "terminal--a          2  17 min ago    old",
    ]);
  });
  test("usage adds up by day and model", async () => {
    const gateway = startFakeGateway();
    const usage = { inputTokens: 1500, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const row = { day: "2026-11-15", model: "a/b", calls: 1, usage, costUsd: 0.5, unpriced: 0, durationMs: 0 };
    gateway.usage.push({ ...row, sessionKey: "terminal--a" }, { ...row, sessionKey: "terminal--b" });
    const { output } = await steward(["usage"], {}, gateway);
    expect(output).toContain("2026-11-15  a/b        2    3k       0       40  $1.00\n");
  });
  test("config shows the settings in force as JSON, and their file beside it", async () => {
    const { output, errors } = await steward(["config"]);
    expect(JSON.parse(output).agent.name).toBe("Jeeves");
    expect(errors).toBe("Settings file: /home/ann/.steward/config.json\n");
  });
  test("config get prints one setting, and suggests the key that was meant", async () => {
    expect(await steward(["config", "get", "agent.name"])).toMatchObject({ code: 0, output: "Jeeves\n" });
    expect(await steward(["config", "get", "agent.nmae"])).toMatchObject({
      code: 1,
      errors: "There is no setting “agent.nmae”. Did you mean agent.name?\n",
    });
  });
  test("doctor says what to do next and exits with 1 when something is wrong", async () => {
    const findings = [
      { ok: true, name: "node", detail: "version 26" },
      { ok: false, name: "sandbox", detail: "bwrap is missing", next: "apt install bubblewrap" },
    ];
    const { code, output } = await steward(["doctor"], { doctor: async () => ({ findings }) });
    expect(code).toBe(1);
    expect(output).toBe(
      "✓ node     version 26\n✗ sandbox  bwrap is missing\n           → apt install bubblewrap\n\n1 of 2 need a hand.\n",
    );
  });
});

describe("ask", () => {
  test("prints the answer and exits with 0", async () => {
    const gateway = startFakeGateway();
    gateway.script((message) => gateway.answer(message, `You said ${message.text}.`));
    expect(await steward(["ask", "how", "are you"], {}, gateway)).toMatchObject({
      code: 0,
      output: "You said how are you.\n",
    });
  });
  test("reads the message from the input when the text is -", async () => {
    expect(await steward(["ask", "-"], {}, startFakeGateway(), "line one\nline two\n")).toMatchObject({
      code: 0,
      output: "line one\nline two\n",
    });
  });
  test("exits with 1 and says why when no model answered", async () => {
    const gateway = startFakeGateway();
    gateway.script(({ conversation, seq }) => {
      gateway.append({ type: "turn.started", conversation, turn: "t", messages: [seq] });
      gateway.append({
        type: "turn.finished",
        conversation,
        turn: "t",
        ending: "unavailable",
        detail: "The key is wrong.",
      });
    });
    expect(await steward(["ask", "hi"], {}, gateway)).toMatchObject({
      code: 1,
      output: "",
      errors: "The key is wrong.\n",
    });
  });
  test("leaves an approval open and says how to give it", async () => {
    const gateway = startFakeGateway();
    gateway.script((message) => gateway.askApproval(message, { approvalId: "ap1", display: "rm -rf build" }));
    expect(await steward(["ask", "clean up"], {}, gateway)).toMatchObject({
      code: 1,
      errors: "This waits for your approval:\nrm -rf build\nAllow it with: steward approve ap1\n",
    });
  });
  test("says that there is nothing to ask", async () => {
    expect(await steward(["ask", " "])).toMatchObject({
      code: 1,
      errors: expect.stringContaining("There is nothing to ask."),
    });
  });
});

describe("approvals", () => {
  function gatewayWithQuestion() {
    const gateway = startFakeGateway();
    const { seq } = gateway.append({
      type: "message.received",
      conversation: "telegram--42",
      messageId: "m",
      channel: "telegram",
      sender: { kind: "owner", id: "o" },
      text: "clean up",
      attachments: [],
    });
    gateway.askApproval(
      { seq, text: "", conversation: "telegram--42" },
      { approvalId: "ap1", display: "rm -rf\u001b[1A build" },
    );
    return gateway;
  }
  test("are listed with what they are about, and escape sequences are spelled out", async () => {
    const { output } = await steward(["approvals"], {}, gatewayWithQuestion());
    expect(output).toContain("ap1  shell in telegram--42\n  rm -rf\\u{1b}[1A build\n  it changes something\n");
  });
  test("are given by their id", async () => {
    const { code, output, gateway } = await steward(["approve", "ap1"], {}, gatewayWithQuestion());
    expect({ code, output }).toEqual({ code: 0, output: "Allowed: rm -rf\\u{1b}[1A build\n" });
    expect(gateway.calls).toContainEqual({ name: "exec.approve", params: { approvalId: "ap1", always: false } });
  });
  test("are given for good", async () => {
    const { gateway } = await steward(["approve", "ap1", "--always"], {}, gatewayWithQuestion());
    expect(gateway.calls).toContainEqual({ name: "exec.approve", params: { approvalId: "ap1", always: true } });
  });
  test("are refused with a reason", async () => {
    const { gateway } = await steward(["deny", "ap1", "not", "today"], {}, gatewayWithQuestion());
    expect(gateway.calls).toContainEqual({ name: "exec.deny", params: { approvalId: "ap1", reason: "not today" } });
  });
  test("that do not exist are an error with what to do next", async () => {
    expect(await steward(["approve", "ap9"])).toMatchObject({
      code: 1,
      errors: "No question with the id “ap9” waits for an answer. Nothing waits now.\n",
    });
  });
  test("are named by the one that was meant when the id has a slip in it", async () => {
    const { errors, gateway } = await steward(["deny", "ap2", "--json"], {}, gatewayWithQuestion());
    expect(JSON.parse(errors).error.message).toBe(
      "No question with the id “ap2” waits for an answer. Did you mean ap1? List them: steward approvals",
    );
    expect(gateway.calls.map(({ name }) => name)).not.toContain("exec.deny");
  });
  test("given without a daemon are followed to the end, and the answer is printed", async () => {
    const gateway = gatewayWithQuestion();
    gateway.mode = "chat";
    const place = { conversation: "telegram--42", turn: "turn-1" };
    gateway.onAnswer(() => {
      gateway.append(finishedStep(place, 1, "It is clean now."));
      gateway.append({ ...place, type: "turn.finished", ending: "answered" });
    });
    expect(await steward(["approve", "ap1"], {}, gateway)).toMatchObject({
      code: 0,
      output: "Allowed: rm -rf\\u{1b}[1A build\nIt is clean now.\n",
    });
  });
});

test("a refusal by the gateway is shown in its own words", async () => {
  const gateway = startFakeGateway();
  gateway.refuse("sessions.list", new CallRefused("forbidden", "Only the owner may see this."));
  expect(await steward(["sessions"], {}, gateway)).toMatchObject({ code: 1, errors: "Only the owner may see this.\n" });
});
