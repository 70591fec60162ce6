// Settings as the owner writes them, seen in the running program.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event } from "../../src/contract/event.ts";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { answerByRules } from "../fakes/model/model-rules.ts";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, runSteward, spawnSteward, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const looksSecret = `ghp_${"aB3dE5fG7hJ9".repeat(3)}`;
const ownKey = "my-very-own-key-4711";

const isEnd = new Set(["approval.asked", "turn.finished"]);

async function scene(settings: Record<string, unknown>) {
  const home = await temporaryFolder();
  const model = await startFakeModelServer({ answers: answerByRules });
  onTestFinished(() => model.close());
  const write = (extra: Record<string, unknown>) => writeSettings(home, model.port, extra);
  await write(settings);
  await mkdir(join(home, "workspace", "agents"), { recursive: true });
  await writeFile(
    join(home, "workspace", "agents", "cook.md"),
    "---\nname: Cook\ndescription: Cooks.\n---\nOf food only.",
  );
  await writeFile(join(home, "workspace", ".env"), `MY_API_KEY=${ownKey}\n`);
  return { home, model, write, converse, auditLines };

  /** One turn in a process of its own; what the model was told, what was printed as a warning, what happened. */
  async function converse(conversation: string, message: string) {
    const before = model.requests.length;
    const child = spawnSteward({ home });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr?.on("data", (data) => {
      errors += data;
    });
    const client = await clientOf(child, home);
    if (!client) throw new Error(`the daemon did not start: ${errors}`);
    const seen: Event[] = [];
    client.follow(0, (followed) => {
      if ("seq" in followed && followed.conversation === conversation) seen.push(followed);
    });
    await client.call("chat.send", { sessionKey: conversation, message });
    const asked = await eventually(() => seen.find(({ type }) => isEnd.has(type)), expect.anything());
    if (asked.type === "approval.asked") await client.call("exec.approve", { approvalId: asked.approvalId });
    await eventually(() => seen.some(({ type }) => type === "turn.finished"));
    child.kill("SIGTERM");
    await ended(child);
    const body = model.requests[before]?.body as { messages: { content: string }[] } | undefined;
    const outputs = seen.flatMap((event) => (event.type === "tool.returned" ? [event.output] : []));
    return { prompt: body?.messages[0]?.content ?? "", outputs, errors };
  }

  async function auditLines(conversation: string): Promise<number> {
    const names = await readdir(join(home, "audit"));
    const texts = await Promise.all(names.map((name) => readFile(join(home, "audit", name), "utf8")));
    return texts.join("").split(`"conversation":"${conversation}"`).length - 1;
  }
}

test("the default agent speaks, bash keeps its time, and the data lie where they should", async () => {
  const elsewhere = join(await temporaryFolder(), "data");
  const { home, converse, write } = await scene({
    agent: { model: "fake/fake-model", default: "cook" },
    tools: { bashTimeoutSeconds: 1 },
    data: { path: elsewhere },
  });
  const { prompt, outputs } = await converse("terminal--a", 'TOOL:bash:{"command":"sleep 60"}END');
  expect(prompt).toContain("You are Cook (Cooks.), an agent of Steward");
  expect(outputs).toEqual([expect.stringContaining("[stopped after 1 s; use exec for longer work]")]);
  expect(await readdir(elsewhere)).toContain("steward.db");

  await write({ data: { path: join(elsewhere, "..", "other") } });
  const moved = await runSteward({ home, args: ["daemon"] });
  expect([moved.code, moved.errors]).toEqual([1, expect.stringMatching(/data\.path cannot be used: .* leads to /)]);
});

test("a safety switch that is off is told at the start, in the settings and by the doctor, and does what it says", async () => {
  const { home, converse, auditLines, write } = await scene({
    agent: { model: "fake/fake-model" },
    safety: { auditLog: false, secretsFilter: false },
  });
  await writeFile(join(home, "workspace", "keys.txt"), `${looksSecret} ${ownKey}`);
  const off = await converse("terminal--off", 'TOOL:read:{"path":"keys.txt"}END');
  expect(off.outputs[0]).toContain(looksSecret);
  expect(off.outputs[0]).not.toContain(ownKey);
  expect(await auditLines("terminal--off")).toBe(0);
  const told = /The audit log is off: .*safety\.auditLog[\s\S]*The secrets filter is off: .*safety\.secretsFilter/;
  expect(off.errors).toMatch(told);
  expect((await runSteward({ home, args: ["config"] })).errors).toMatch(told);
  const doctor = await runSteward({ home, args: ["doctor"] });
  expect([doctor.code, doctor.output]).toEqual([
    1,
    expect.stringMatching(/✗ safety .*audit log is off[\s\S]*✗ safety .*filter/),
  ]);

  await write({ agent: { model: "fake/fake-model" } });
  const on = await converse("terminal--on", 'TOOL:read:{"path":"keys.txt"}END');
  expect(on.outputs[0]).not.toContain(looksSecret);
  expect(on.errors).not.toMatch(/ is off/);
  expect([await auditLines("terminal--off"), (await auditLines("terminal--on")) > 3]).toEqual([0, true]);
  expect((await runSteward({ home, args: ["audit", "verify"] })).output).toContain("The audit log is whole");
});
