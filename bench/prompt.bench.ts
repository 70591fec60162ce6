// What every request carries before anyone has said anything, read on the wire; a token is counted as four characters.
import { z } from "zod";
import { startModelProcess, writeSettings } from "../tests/scenes/steward-process.ts";
import { benchFolder } from "./measure/folder.ts";
import { startDaemon } from "./measure/program.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { openTalk } from "./measure/talk.ts";

const Request = z.object({
  body: z.object({
    messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
    tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
  }),
});
const question = "Hello";

const { body, whole } = await firstRequest();
const system = tokens(body.messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join(""));
const allTools = body.tools.length === 0 ? 0 : tokens(body.tools);
const total = { name: "first request", value: whole };

printReport([
  { what: "system prompt of a new workspace", value: system, unit: "tokens", against: total },
  ...body.tools.map(
    (tool): Figure => ({ what: `tool ${tool.function.name}`, value: tokens(tool), unit: "tokens", against: total }),
  ),
  { what: `all ${body.tools.length} tools`, value: allTools, unit: "tokens", against: total },
  {
    what: "system prompt and tools",
    value: system + allTools,
    unit: "tokens",
    against: total,
    goal: { atMost: 3_000 },
  },
  {
    what: "first request in all",
    value: whole,
    unit: "tokens",
    against: { name: `"${question}"`, value: question.length / 4 },
  },
]);

async function firstRequest(): Promise<z.infer<typeof Request> & { whole: number }> {
  await using folder = await benchFolder();
  const model = await startModelProcess();
  try {
    await writeSettings(folder.path, model.port);
    await using daemon = await startDaemon({ home: folder.path });
    const talk = await openTalk(daemon.client);
    await talk.say("terminal--default", question);
    const kept: unknown = await (await fetch(`http://127.0.0.1:${model.port}/requests`)).json();
    const [raw] = z
      .array(z.looseObject({ body: z.unknown() }))
      .min(1)
      .parse(kept);
    return { ...Request.parse(raw), whole: tokens(raw?.body) };
  } finally {
    model.stop();
  }
}

function tokens(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length / 4;
}
