// OpenClaw as its own documentation says to run it, with our provider as its only model.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { pause, steadyMs } from "./figures.ts";
import { treeCpuSeconds } from "./process-figures.ts";
import { ended, keepErrors } from "./program.ts";
import type { Said } from "./talk.ts";
import type { TimedModel } from "./timed-model.ts";

export const openclawVersion = "2026.9.6";

const token = "bench";
const startLimitMs = 180_000;

export type OpenclawGateway = AsyncDisposable & {
  pid: number;
  readyMs: number;
  readyCpuSeconds: number;
  say(conversation: string, text: string): Promise<Said>;
};

/** Into that folder and nowhere else, whatever an outer npm has left in the environment. */
export async function installOpenclaw(folder: string): Promise<void> {
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const { npm_config_local_prefix: _local, npm_config_prefix: _prefix, ...environment } = process.env;
  const child = spawn(
    "npm",
    ["install", `openclaw@${openclawVersion}`, "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"],
    { cwd: folder, env: { ...environment, PATH: pathWithThisNode() }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const errors = keepErrors(child);
  const code = await ended(child);
  if (code !== 0)
    throw new Error(`openclaw@${openclawVersion} could not be installed (npm ended with ${code}).\n${errors()}`);
}

export async function startOpenclaw(installed: string, home: string, model: TimedModel): Promise<OpenclawGateway> {
  const port = await freePort();
  await writeConfig(home, port, model);
  const startedMs = steadyMs();
  const program = join(installed, "node_modules", "openclaw", "openclaw.mjs");
  const child = spawn(process.execPath, [program, "gateway", "run", "--port", String(port)], {
    env: {
      ...{ PATH: pathWithThisNode(), HOME: home, NO_COLOR: "1", OPENCLAW_SKIP_UPDATE_CHECK: "1" },
      ...{ OPENCLAW_STATE_DIR: join(home, "state"), OPENCLAW_CONFIG_PATH: join(home, "openclaw.json") },
      OPENCLAW_GATEWAY_TOKEN: token,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = keepErrors(child);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null || steadyMs() - startedMs > startLimitMs) {
      child.kill("SIGKILL");
      throw new Error(`OpenClaw did not become ready.\n${errors()}`);
    }
    await pause(15);
  }
  const pid = Number(child.pid);
  return {
    pid,
    readyMs: steadyMs() - startedMs,
    readyCpuSeconds: treeCpuSeconds(pid),
    say: (conversation, text) => sayByHttp(url, conversation, text),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended(child);
    },
  };
}

async function writeConfig(home: string, port: number, model: TimedModel): Promise<void> {
  const fake = {
    baseUrl: `${model.url}/v1`,
    apiKey: "bench",
    api: "openai-completions",
    models: [
      {
        ...{ id: "fake-model", name: "fake-model", reasoning: false, input: ["text"] },
        ...{ contextWindow: 200_000, maxTokens: 8_192, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
      },
    ],
  };
  const config = {
    gateway: {
      ...{ mode: "local", bind: "loopback", port, auth: { mode: "token", token } },
      http: { endpoints: { chatCompletions: { enabled: true } } },
    },
    agents: {
      defaults: {
        model: { primary: "fake/fake-model" },
        workspace: join(home, "workspace"),
        heartbeat: { every: "0m" },
      },
    },
    models: { mode: "merge", providers: { fake } },
  };
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "openclaw.json"), JSON.stringify(config));
}

async function sayByHttp(url: string, conversation: string, text: string): Promise<Said> {
  const sentMs = steadyMs();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({
      ...{ model: "openclaw", user: conversation, stream: true },
      messages: [{ role: "user", content: text }],
    }),
  });
  const answer = await response.text();
  if (!response.ok || !answer.includes("word"))
    throw new Error(`OpenClaw answered ${response.status}: ${answer.slice(0, 500)}`);
  return { sentMs, endedMs: steadyMs() };
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    // nobody listens yet; the caller asks again
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}

function pathWithThisNode(): string {
  return [dirname(process.execPath), process.env.PATH].join(delimiter);
}
