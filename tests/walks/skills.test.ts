// Skills through the whole program: the owner's files on the disk, what the model is sent, what it may read and write.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Event, EventOf, EventType } from "../../src/contract/event.ts";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { answerByRules } from "../fakes/model/model-rules.ts";
import { eventually } from "../scenes/eventually.ts";
import { clientOf, ended, runSteward, spawnSteward, writeSettings } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

async function scene() {
  const home = await temporaryFolder();
  const model = await startFakeModelServer({ answers: answerByRules });
  await writeSettings(home, model.port, { guard: { mode: "auto" } });
  await put("skills/tea/SKILL.md", skill("tea", "Make tea. Use for tea.", "Steep it for 4711 seconds."));
  const child = spawnSteward({ home });
  const client = await clientOf(child, home);
  if (!client) throw new Error("the daemon did not start");
  const seen: Event[] = [];
  client.follow(0, (followed) => {
    if ("seq" in followed) seen.push(followed);
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended(child);
    await model.close();
  });
  let turns = 0;
  return { home, put, say, until };

  async function put(file: string, text: string): Promise<void> {
    const path = join(home, "workspace", file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** A turn in a conversation of its own: what the model was told in it, and what its calls answered. */
  async function say(message: string) {
    turns += 1;
    const conversation = `terminal--t${turns}`;
    const before = model.requests.length;
    await client?.call("chat.send", { sessionKey: conversation, message });
    const ending = await until(conversation, "turn.finished", "approval.asked");
    if (ending.type === "approval.asked") {
      await client?.call("exec.approve", { approvalId: ending.approvalId });
      await until(conversation, "turn.finished");
    }
    const requests = model.requests.slice(before);
    const body = requests[0]?.body as { messages: { content: string }[] } | undefined;
    return { prompt: body?.messages[0]?.content ?? "", outputs: requests.at(-1)?.toolOutputs ?? [], ending };
  }

  async function until<Type extends EventType>(conversation: string, ...types: Type[]): Promise<EventOf<Type>> {
    const isIt = (event: Event) => event.conversation === conversation && types.includes(event.type as Type);
    return (await eventually(() => seen.find(isIt), expect.anything())) as EventOf<Type>;
  }
}

const skill = (name: string, description: string, body = "Do it.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
const call = (tool: string, args: Record<string, unknown>) => `TOOL:${tool}:${JSON.stringify(args)}END`;

test("skills are listed in the prompt, read when needed, and count from the next turn on", async () => {
  const { put, say } = await scene();
  const first = await say("hello");
  expect(first.prompt).toContain('<skill name="tea">Make tea. Use for tea.</skill>');
  expect(first.prompt).toContain('<skill name="weekly-review">Look back on the week');
  expect(first.prompt).not.toMatch(/4711|# The weekly review/);

  const read = await say(`${call("skill", { name: "tea" })} ${call("skill", { name: "weekly-review" })}`);
  expect(read.ending.type).toBe("turn.finished");
  expect(read.outputs).toEqual([
    expect.stringContaining("4711 seconds"),
    expect.stringContaining("# The weekly review"),
  ]);

  await put("skills/weekly-review/SKILL.md", skill("weekly-review", "My own review.", "My way."));
  await put(".claude/skills/lint/SKILL.md", skill("lint", "Look for </skills> mistakes."));
  const second = await say(call("skill", { name: "weekly-review" }));
  expect(second.prompt).toContain('<skill name="weekly-review">My own review.</skill>');
  expect(second.prompt).toContain('<skill name="lint">Look for &lt;/skills&gt; mistakes.</skill>');
  expect(second.prompt).not.toContain("Look back on the week");
  expect(second.outputs).toEqual([expect.stringContaining("My way.")]);
});

test("a skill that the assistant writes is asked about, also where changes run without asking", async () => {
  const { say, home } = await scene();
  for (const folder of ["skills", ".claude/skills"]) {
    const name = folder === "skills" ? "one" : "two";
    const path = `${folder}/${name}/SKILL.md`;
    const { ending } = await say(call("write", { path, content: skill(name, `Written in ${folder}.`) }));
    expect(ending).toMatchObject({ type: "approval.asked", eachTime: true });
    expect(await readFile(join(home, "workspace", path), "utf8")).toContain(`Written in ${folder}.`);
  }
  expect((await say("hello")).prompt).toMatch(/Written in skills\.[\s\S]*Written in \.claude\/skills\./);
  const made = "mkdir -p skills/evil && printf x > skills/evil/SKILL.md";
  await say(call("bash", { command: made }));
  expect(await readdir(join(home, "workspace", "skills"))).toEqual(["one", "tea"]);
});

test("a broken skill holds up no turn, and is told by the doctor, by skills check and once in the log", async () => {
  const { home, put, say } = await scene();
  await put("skills/bad/SKILL.md", "---\nname: bad\ndescription: 'open\n---\n");
  for (const words of ["one", "two"]) expect((await say(words)).prompt).not.toContain('name="bad"');

  const check = await runSteward({ home, args: ["skills", "check"] });
  expect([check.code, check.output]).toEqual([
    1,
    expect.stringMatching(/^skills\/bad\/SKILL\.md:3 is left out: line 3 does not close the quotes of description/),
  ]);
  const { ok, problems } = JSON.parse((await runSteward({ home, args: ["skills", "check", "--json"] })).output);
  expect([ok, problems]).toEqual([false, [expect.objectContaining({ severity: "error", line: 3 })]]);
  const listed = await runSteward({ home, args: ["skills"] });
  expect(listed.output).toMatch(
    /^tea +skills\/tea +Make tea\.[\s\S]*\n1 left out; what is wrong: steward skills check\n$/,
  );
  expect((await runSteward({ home, args: ["doctor"] })).output).toMatch(/✗ skills .*6 can be used, 1 left out/);
  const chat = await runSteward({ home, args: ["chat"], input: "/skills\n" });
  expect(chat.output).toMatch(/tea +Make tea\. Use for tea\.[\s\S]*1 left out/);

  const logs = await readdir(join(home, "logs"));
  const lines = (await Promise.all(logs.map((name) => readFile(join(home, "logs", name), "utf8")))).join("");
  expect(lines.split("skills/bad/SKILL.md:3 is left out").length - 1).toBe(1);
});
