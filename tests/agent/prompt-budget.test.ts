import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { runSteward } from "../scenes/steward-process.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const tokens = (value: unknown) => JSON.stringify(value).length / 4;

test("what every request carries stays within its budget, as it goes over the wire", async () => {
  const home = await temporaryFolder();
  const server = await startFakeModelServer({ answers: [{ text: "hello" }] });
  onTestFinished(() => server.close());
  const models = { providers: { fake: { kind: "openai-compatible", baseUrl: `${server.url}/v1` } }, probeLocal: false };
  await writeFile(join(home, "config.json"), JSON.stringify({ agent: { model: "fake/m" }, models }));
  await runSteward({ home, args: ["ask", "hello"] });
  const body = server.requests[0]?.body as { messages: { content: string }[]; tools: { function: { name: string } }[] };
  const tools = body.tools.map((tool) => tool.function);
  expect(tools.length).toBeGreaterThanOrEqual(19);
  expect(tools.filter((tool) => tokens(tool) > 160).map((tool) => `${tool.name}: ${tokens(tool)}`)).toEqual([]);
  expect(tokens(tools)).toBeLessThanOrEqual(2_100);
  expect(tokens(body.messages[0]?.content)).toBeLessThanOrEqual(2_000);
});
