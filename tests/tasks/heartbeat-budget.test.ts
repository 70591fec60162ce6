import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const tokens = (value: unknown) => JSON.stringify(value).length / 4;
const instructions =
  "# Heartbeat\n- Is there something due today in tasks.md?\n- Does the calendar of today hold a surprise?\n- Has the backup of last night left an error in backup.log?\n";

type Body = { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] };

async function beat(written: string) {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({ answers: [{ text: "HEARTBEAT_OK" }] });
  onTestFinished(() => server.close());
  const models = { providers: { fake: { kind: "openai-compatible", baseUrl: `${server.url}/v1` } }, probeLocal: false };
  await writeFile(join(home, "config.json"), JSON.stringify({ agent: { model: "fake/m" }, models }));
  await mkdir(join(home, "workspace"));
  await writeFile(join(home, "workspace", "HEARTBEAT.md"), written);
  const { output } = await runSteward({ home, args: ["heartbeat", "now"] });
  return { requests: server.requests.map(({ body }) => body as Body), output };
}

test("one look around with three lines of instructions stays within its budget, as it goes over the wire", async () => {
  const { requests, output } = await beat(instructions);
  const [body] = requests;
  expect([requests.length, output]).toEqual([1, expect.stringMatching(/Last look: just now, quiet/)]);
  const tools = body?.tools.map((tool) => tool.function) ?? [];
  const carried = tokens(body?.messages[0]?.content) + tokens(body?.messages[1]?.content) + tokens(tools);
  expect(body?.messages).toHaveLength(2);
  expect(carried).toBeLessThanOrEqual(1_400);
  expect(tools.map(({ name }) => name)).toContain("read");
});

test("a look around that has nothing to look at asks no model", async () => {
  const { requests, output } = await beat("# Heartbeat\n\n<!-- nothing -->\n- \n");
  expect([requests, output]).toEqual([[], expect.stringContaining("nothing to look at")]);
});
