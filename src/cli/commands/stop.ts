// Ends the Steward that runs, or has it start anew; both wait until it is so.
import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../contract/failure.ts";
import type { Command, CommandContext, CommandInput } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption } from "../../contract/room/json-output.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";

type Deps = Pick<CommandLineDeps, "running">;

// a Steward that cannot end in order is cut off before this
const longestEndMs = 30_000;
const longestStartMs = 60_000;
const lookEveryMs = 50;

export function stopCommand({ running }: Deps): Command {
  return {
    name: "stop",
    summary: "End the Steward that is running",
    description: "End the Steward that is running, in order: short answers are finished, the rest goes on next time.",
    notes: jsonNotes("stopped, pid?"),
    options: [jsonOption],
    async run(input, context) {
      const client = await findAnswering({ running }, context);
      if (!client) {
        tell(input, context, { stopped: false }, `No Steward is running for ${context.home}.`);
        return 0;
      }
      const { pid } = await client.call("health.check", {});
      await client.call("program.stop", {});
      // an end that is asked for while it starts may leave this connection as it is
      await Promise.race([client.closed, pause(longestEndMs, undefined, { ref: false })]);
      if (!(await within(longestEndMs, async () => !(await running.isInUse()))))
        throw new Failure(`Steward (process ${pid}) was asked to end and has not. End it with: kill -9 ${pid}`);
      tell(input, context, { stopped: true, pid }, `Steward has stopped (process ${pid}).`);
      return 0;
    },
  };
}

export function restartCommand({ running }: Deps): Command {
  return {
    name: "restart",
    summary: "Have the daemon start anew",
    description: "Have the daemon start anew with the settings as they are now, and wait until it answers.",
    notes: jsonNotes("restarted, pid, version"),
    options: [jsonOption],
    async run(input, context) {
      const client = await findAnswering({ running }, context);
      if (!client) throw new Failure(`No Steward is running for ${context.home}. Start one with: steward daemon`);
      const before = await client.call("health.check", {});
      if (before.mode !== "daemon") {
        await client.close();
        throw new Failure(`Steward runs inside a chat (process ${before.pid}): end that chat and open it again.`);
      }
      await client.call("settings.apply", {});
      await client.closed;
      const again = await within(longestStartMs, () => answeringNow({ running }));
      if (!again) throw new Failure("Steward has ended and does not answer again. What happened: steward logs");
      const { pid, version } = again;
      tell(input, context, { restarted: true, pid, version }, `Steward ${version} runs anew (process ${pid}).`);
      return 0;
    },
  };
}

async function findAnswering({ running }: Deps, { home }: CommandContext): Promise<GatewayClient | undefined> {
  const client = await running.find();
  if (!client && (await running.isInUse()))
    throw new Failure(`A Steward is using ${home} but does not answer. It may be starting or ending: try again.`);
  return client;
}

async function answeringNow({ running }: Deps) {
  const client = await running.find();
  // it may end its start half-way, and another try finds it
  const health = await client?.call("health.check", {}).catch(() => undefined);
  await client?.close();
  return health;
}

/** The first answer that is not false or missing; undefined when there is none in time. */
async function within<Answer>(ms: number, look: () => Promise<Answer>): Promise<Answer | undefined> {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await look();
    if (answer) return answer;
    if (performance.now() > deadline) return undefined;
    await pause(lookEveryMs);
  }
}

function tell({ flags }: CommandInput, { console }: CommandContext, result: object, words: string): void {
  console.output.write(flags.has("json") ? `${JSON.stringify(result)}\n` : `${words}\n`);
}
