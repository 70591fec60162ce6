import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { conversation } from "../scenes/stores.ts";
import { testTool } from "../scenes/tools.ts";

test("a tool that an agent is not offered cannot be called by it", async () => {
  const [offered, other] = [testTool({ name: "offered" }), testTool({ name: "other" })];
  const model = scriptedModel((request) =>
    request.messages.some((message) => message.role === "assistant")
      ? { text: "done" }
      : { text: "", calls: ["offered", "other"].map((tool) => ({ tool, arguments: { value: "x" } })) },
  );
  const assistant = await openAssistant({ model, tools: [offered, other] });
  await mkdir(join(assistant.workspace, "agents"), { recursive: true });
  await writeFile(
    join(assistant.workspace, "agents", "small.md"),
    "---\nname: Small\ndescription: Small.\ntools: offered\n---\nBe small.\n",
  );
  await assistant.call("sessions.configure", { sessionKey: conversation, agent: "small" });
  await assistant.say("go");
  await assistant.until("turn.finished");
  expect([offered.runs, other.runs]).toEqual([["x"], []]);
  const outputs = (await assistant.events()).flatMap((event) => (event.type === "tool.returned" ? [event.output] : []));
  expect(outputs).toContain("There is no tool called other. There are: offered.");
});

test("an agent whose file is gone speaks without tools, rather than with all of them", async () => {
  const tool = testTool({ name: "offered" });
  const model = scriptedModel((request) =>
    request.messages.some((message) => message.role === "assistant")
      ? { text: "done" }
      : { text: "", calls: [{ tool: "offered", arguments: { value: "x" } }] },
  );
  const assistant = await openAssistant({ model, tools: [tool] });
  await assistant.store.log.append([{ type: "conversation.configured", conversation, agent: "gone" }]);
  await assistant.say("go");
  await assistant.until("turn.finished");
  expect(tool.runs).toEqual([]);
});
