import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, runSteward, spawnSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const run = promisify(execFile);

/** Beside a daemon, a command is quick; without one it opens an assistant of its own. */
async function stewardHome({ daemon = true } = {}) {
  const home = await temporaryFolder();
  await writeFile(join(home, "config.json"), JSON.stringify({ models: { probeLocal: false } }), { mode: 0o600 });
  const tasks = (...args: string[]) => runSteward({ home, args: ["tasks", ...args] });
  const json = async (...args: string[]) => {
    const { code, output, errors } = await tasks(...args, "--json");
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    return JSON.parse(output);
  };
  return { home, tasks, json, client: daemon ? await startDaemon(home) : undefined };
}

async function startDaemon(home: string) {
  const daemon = spawnSteward({ home });
  onTestFinished(async () => {
    daemon.kill("SIGTERM");
    await ended(daemon);
  });
  const client = await clientOf(daemon, home);
  if (!client) return expect.unreachable("the daemon ended before it answered");
  onTestFinished(() => client.close());
  return client;
}

test("a task is planned, listed, shown, changed, paused, resumed and cancelled in words", async () => {
  const { tasks } = await stewardHome();
  expect((await tasks()).output).toMatch(/^Nothing is planned\. Plan something: steward tasks add/);
  const added = await tasks("add", "Water", "the", "plants", "--remind", "--when", "every day at 8");
  expect(added.output).toMatch(
    /^Planned: “Water the plants”, every day at 08:00\. Next: \w{3} \d+ \w{3} 08:00 \((?:in [^)]+|tomorrow)\)\.\n$/,
  );
  expect(added).toMatchObject({ code: 0, errors: "" });
  const listed = (await tasks("list")).output.split("\n");
  expect(listed[0]).toMatch(/^id +title +when +next/);
  expect(listed[1]).toMatch(
    /^t\w{5} +Water the plants +every day at 08:00 +\w{3} \d+ \w{3} 08:00 \((?:in [^)]+|tomorrow)\)$/,
  );
  const shown = (await tasks("show", "water")).output;
  expect(shown).toMatch(/^Task +Reminds you: Water the plants$/m);
  expect(shown.match(/08:00 \((?:in |tomorrow)/g)).toHaveLength(5);
  expect((await tasks("edit", "water", "--when", "every Monday at 9", "--title", "Plants")).output).toMatch(
    /^Changed: “Plants”, every Monday at 09:00\. Next: Mon /,
  );
  expect((await tasks("pause", "plants")).output).toBe("Paused: “Plants”.\n");
  expect((await tasks()).output).toMatch(/Plants +every Monday at 09:00 +paused\n/);
  expect((await tasks("resume", "pla")).output).toMatch(/^Resumed: “Plants”, every Monday at 09:00\. Next: Mon /);
  expect((await tasks("cancel", "Plants")).output).toMatch(/^Cancelled: “Plants”\./);
  expect((await tasks()).output).toMatch(/^Nothing is planned/);
  expect((await tasks("--all")).output).toMatch(/Plants +every Monday at 09:00 +cancelled\n/);
  expect(await tasks("cancel", "Plants")).toMatchObject({ code: 1, errors: "“Plants” is over already (cancelled).\n" });
});

test("a task is planned for a group, and the list says for which", async () => {
  const { tasks, client } = await stewardHome();
  const wish = ["add", "Tea is ready", "--remind", "--when", "every day at 5 pm", "--group"];
  expect((await tasks(...wish, "family")).errors).toContain("There is no group “family”. There are: none yet.");
  const place = { channel: "telegram", address: { chat: "-1" } } as const;
  await client?.call("groups.register", { ...place, title: "Family Chat", name: "family" });
  expect(await tasks(...wish, "Family Chat")).toMatchObject({ code: 0, errors: "" });
  expect((await tasks()).output).toMatch(/Tea is ready +every day at 17:00 .*\) +group family\n/);
  expect((await tasks("show", "tea")).output).toMatch(/^Group +family$/m);
  expect(await tasks("add", "look", "--on-file", "inbox", "--group", "family")).toMatchObject({
    code: 1,
    errors: "A task of a group has a time: use --when with --group, or leave --group out.\n",
  });
});

test("programs get the same as JSON, and every choice arrives", async () => {
  const { json } = await stewardHome();
  const choices = [
    ...["--title", "Report", "--until", "it is sent", "--deliver-to", "terminal--default", "--missed", "all"],
    ...["--overlap", "wait", "--budget", "0.5", "--time-zone", "Asia/Tokyo", "--delete-after-run"],
  ];
  const { task } = await json("add", "write the report", "--when", "every weekday at 9", ...choices);
  const chosen = {
    ...{ title: "Report", until: "it is sent", deliverTo: "terminal--default", missed: "all", overlap: "wait" },
    ...{ budgetUsd: 0.5, deleteAfterRun: true, state: "active", action: { kind: "do", prompt: "write the report" } },
  };
  expect(task).toMatchObject({ ...chosen, trigger: { kind: "cron", timeZone: "Asia/Tokyo" } });
  expect(await json()).toMatchObject({ tasks: [{ id: task.id }], total: 1 });
  const edited = await json("edit", "report", "send it", "--until", "none", "--budget", "none", "--keep-after-run");
  expect(edited.task).toMatchObject({ action: { kind: "do", prompt: "send it" }, deleteAfterRun: false });
  expect(edited.task).not.toHaveProperty("until");
  expect(edited.task).not.toHaveProperty("budgetUsd");
  expect((await json("edit", "report", "--remind")).task.action).toEqual({ kind: "say", text: "send it" });
  expect((await json("show", task.id)).nextAtMs).toHaveLength(5);
  expect(await json("pause", task.id)).toMatchObject({ task: { state: "paused" } });
  expect(await json("cancel", task.id)).toEqual({ id: task.id, cancelled: true });
});

test("what cannot be planned is told with what to write instead, and nothing is planned", async () => {
  const { tasks, json } = await stewardHome();
  const errors = async (...args: string[]) => {
    const { code, output, errors } = await tasks(...args);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    return errors;
  };
  expect(await errors("add", "call mum tomorrow at six")).toMatch(
    /^Say when it begins with --when, for example: steward/,
  );
  expect(await errors("add", "call mum", "--when", "when pigs fly")).toContain("pigs fly");
  expect(await errors("add", "call mum", "--when", "at six", "--time-zone", "Europe/Belrin")).toContain(
    "Europe/Berlin?",
  );
  expect(await errors("add", "x", "--on-file", "/etc")).toContain("outside the workspace");
  expect(await errors("add", "x", "--remind", "--webhook", "y")).toMatch(/^A reminder has a time/);
  expect(await errors("add", "x", "--when", "at six", "--model", "qwen")).toMatch(/model/);
  expect(await errors("preview", "when", "pigs", "fly")).toContain("pigs fly");
  expect(await errors("show", "mum")).toMatch(/^No task has an id or a title that begins with “mum”/);
  expect(await json()).toEqual({ tasks: [], total: 0 });
});

test("a name that fits several tasks does nothing and lists them", async () => {
  const { tasks, json } = await stewardHome();
  const one = await json("add", "Water the roses", "--remind", "--when", "every day at 8");
  const two = await json("add", "Water the lawn", "--remind", "--when", "every day at 8");
  const { code, errors } = await tasks("cancel", "water");
  expect(code).toBe(1);
  expect(errors).toMatch(/^Several tasks fit “water”\. Say more of the title, or the id:\n/);
  for (const { task } of [one, two]) expect(errors).toContain(`  ${task.id.slice(0, 6)}`);
  expect((await json("show", two.task.id.slice(0, 8))).task.title).toBe("Water the lawn");
});

test("preview says what words mean and plans nothing", async () => {
  const { tasks, json } = await stewardHome();
  const { output } = await tasks("preview", "every", "weekday", "at", "nine", "--time-zone", "Asia/Tokyo");
  expect(output.split("\n")[0]).toBe("every weekday at 09:00 (Asia/Tokyo)");
  expect(output.match(/^ {2}\w{3} \d+ \w{3}(?: \d{4})? 09:00 \((?:in [^)]+|tomorrow)\)$/gm)).toHaveLength(5);
  expect(await json()).toEqual({ tasks: [], total: 0 });
});

const noModel =
  "No language model is connected: only what the built-in rules understand can be done. Connect one: steward open\n";

test("without a daemon it is said that nothing is done until one runs, and a run is waited for", async () => {
  const { tasks } = await stewardHome({ daemon: false });
  const { errors } = await tasks("add", "what is 2+2?", "--when", "every day at 8", "--title", "Sum");
  expect(errors).toBe(
    `${noModel}No Steward runs now, and nothing is done until one does. Start it with: steward daemon\n`,
  );
  expect(await tasks("run", "sum")).toEqual({ code: 0, output: "Begun: “Sum”.\nThat is 4.\n", errors: "" });
  const { runs } = JSON.parse((await tasks("history", "sum", "--json")).output);
  expect(runs).toMatchObject([{ state: "done", cause: "asked", answer: "That is 4.", settled: "delivered" }]);
});

test("a run goes on in the daemon, is waited for when asked to, and its history is shown", async () => {
  const { tasks, json } = await stewardHome();
  await json("add", "what is 2+2?", "--when", "every day at 8", "--title", "Sum");
  expect((await tasks("history", "sum")).output).toBe("It has not run yet.\n");
  expect((await tasks("run", "sum", "--wait")).output).toBe("Begun: “Sum”.\nThat is 4.\n");
  expect((await tasks("history", "sum")).output).toMatch(/^due +run +took +cost +answer\n.+ done +.+That is 4\.\n$/);
  expect((await tasks("run", "sum")).output).toMatch(/^Begun: “Sum”\. How it goes: steward tasks history t\w{10}\n$/);
  await json("add", "Call mum", "--remind", "--when", "every day at 8");
  expect((await tasks("run", "call")).output).toBe("Said: “Call mum”.\n");
});

test("a webhook's address and secret are printed once, and a call signed as the guide shows begins a run", async () => {
  const { tasks, json } = await stewardHome();
  const { code, output, errors } = await tasks("add", "what is 2+2?", "--webhook", "deploy");
  expect({ code, errors }).toEqual({ code: 0, errors: `Keep them now: they are not shown again.\n${noModel}` });
  const [, address = "", secret = ""] = /^Address: (http\S+)\nSecret: (whsec_\S+)$/m.exec(output) ?? [];
  expect(await call(address, "whsec_AAAA")).toBe("401");
  expect(await call(address, secret)).toBe("202");
  const history = await eventually(
    () => json("history", "what is 2"),
    expect.objectContaining({ runs: [expect.objectContaining({ state: "done" })] }),
  );
  expect(history.runs).toMatchObject([{ cause: "webhook" }]);
  const shown = await tasks("show", "what is 2", "--json");
  expect(shown.output).not.toContain(secret);
  expect(shown.output).not.toContain(address.split("/").at(-1));
});

/** With the lines of docs/tasks.md; the status of the answer. */
async function call(address: string, secret: string): Promise<string> {
  const script = `
    ID=deploy-$(date +%s)
    TIME=$(date +%s)
    BODY='{"version":"1.4.2"}'
    KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
    SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
    curl -s -o /dev/null -w '%{http_code}' "$ADDRESS" -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" \\
      -H "webhook-signature: v1,$SIGNATURE" -H 'Content-Type: application/json' -d "$BODY"`;
  const env = { PATH: process.env.PATH ?? "", ADDRESS: address, SECRET: secret };
  return (await run("bash", ["-c", script], { env })).stdout;
}

test("tasks begin one after another, and by a file", async () => {
  const { home, json, client } = await stewardHome();
  const inbox = join(home, "workspace", "inbox.txt");
  await writeFile(inbox, "");
  const first = await json("add", "what is 2+2?", "--on-file", "inbox.txt", "--title", "First");
  await json("add", "what is 3+3?", "--after-task", "first", "--outcome", "done", "--title", "Second");
  expect(first.task.when).toBe("when inbox.txt changes");
  await writeFile(inbox, "hello");
  const { id } = (await json("show", "second")).task;
  await eventually(
    () => client?.call("tasks.history", { id }),
    expect.objectContaining({
      runs: [expect.objectContaining({ state: "done", cause: "task" })],
    }),
  );
});
