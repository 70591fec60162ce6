import type { Command, CommandContext, CommandInput, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import { formatAgo } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

const status: SingleCommand = {
  name: "status",
  summary: "Say when it looks next, and what came of the last look (also without a command)",
  notes: jsonNotes("enabled, words, nextAtMs?, notes, sessionKey, lastRun?: {state, beganAtMs, settled?, costUsd, …}"),
  options: [jsonOption],
  async run({ flags }, context) {
    const heartbeat = await withClient(context, (client) => client.call("heartbeat.get", {}));
    if (flags.has("json")) printJson(context.console, heartbeat);
    else context.console.output.write(statusWords(heartbeat, context.world.nowMs()));
    return 0;
  },
};

function statusWords({ words, notes, lastRun }: MethodResult<"heartbeat.get">, nowMs: number): string {
  const lines = [`${words.charAt(0).toUpperCase()}${words.slice(1)}.`];
  if (notes > 0) lines.push(`Waiting to be told: ${notes}.`);
  if (lastRun) {
    const said = visibleLine((lastRun.error ?? lastRun.answer ?? "").replace(/\s+/g, " "), 300);
    const outcome = lastRun.settled ?? lastRun.state;
    lines.push(`Last look: ${formatAgo(lastRun.beganAtMs, nowMs)}, ${outcome}${said === "" ? "" : `: ${said}`}`);
  }
  return `${lines.join("\n")}\n`;
}

const now: SingleCommand = {
  name: "now",
  summary: "Look around at once, whatever the hour",
  notes: jsonNotes("run?, words"),
  options: [jsonOption],
  run: (input, context) => begin(input, context, (client) => client.call("heartbeat.beat", {})),
};

const tell: SingleCommand = {
  name: "tell",
  summary: "Note something that the next look should take up",
  notes: jsonNotes("run?, words"),
  arguments: [{ form: "<words...>", description: "what it should know or look at" }],
  options: [{ form: "--now", description: "look at once, whatever the hour" }, jsonOption],
  run(input, context) {
    const note = { text: input.arguments.join(" "), now: input.flags.has("now") };
    return begin(input, context, (client) => client.call("heartbeat.tell", note));
  },
};

type Begin = (client: GatewayClient) => Promise<MethodResult<"heartbeat.beat">>;

/** Without a daemon the look goes on inside this process, so its end is awaited. */
function begin({ flags }: CommandInput, context: CommandContext, work: Begin): Promise<number> {
  return withClient(context, async (client) => {
    const { mode, lastSeq } = await client.call("health.check", {});
    const begun = await work(client);
    if (flags.has("json")) printJson(context.console, begun);
    else context.console.output.write(`${begun.words}\n`);
    if (begun.run === undefined || mode === "daemon") return 0;
    await untilOver(client, begun.run, lastSeq);
    if (!flags.has("json"))
      context.console.output.write(statusWords(await client.call("heartbeat.get", {}), context.world.nowMs()));
    return 0;
  });
}

/** It has an answer, or waits for one. */
async function untilOver(client: GatewayClient, run: string, since: number): Promise<void> {
  const { heartbeatConversation } = await import("../../contract/task/task.ts");
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stop = client.follow(since, (followed) => {
    const isSettled = followed.type === "task.settled" && followed.run === run;
    const isWaiting = followed.type === "turn.waiting" && followed.conversation === heartbeatConversation;
    if (isSettled || isWaiting) end();
  });
  await Promise.race([over, client.closed]);
  stop();
}

export const heartbeatCommand: Command = {
  name: "heartbeat",
  summary: "Looking around now and then by the instructions in HEARTBEAT.md",
  default: "status",
  commands: [status, now, tell],
};
