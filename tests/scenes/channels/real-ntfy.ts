// The server that phones really use, on a free port of this machine; `npm test` gets it where the system has none.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const fetched = fileURLToPath(new URL("../../../node_modules/.steward-tools/ntfy/usr/bin/ntfy", import.meta.url));
const program = existsSync(fetched) ? fetched : "ntfy";

/** `isClosed`: it lets in nobody but by a token. */
export async function startRealNtfy({ isClosed = false } = {}) {
  const folder = await temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const users = join(folder, "users.db");
  const settings = {
    ...{ "base-url": url, "listen-http": `127.0.0.1:${port}`, "cache-file": join(folder, "cache.db") },
    ...{ "keepalive-interval": "5s", "attachment-cache-dir": join(folder, "files") },
    ...(isClosed && { "auth-file": users, "auth-default-access": "deny-all" }),
  };
  const path = join(folder, "server.yml");
  await writeFile(path, JSON.stringify(settings));
  const child = spawn(program, ["serve", "--config", path], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await eventually(async () => (await fetch(`${url}/v1/health`)).ok);
  return { url, token: isClosed ? newToken(path) : undefined };
}

/** Of an administrator, who may read and write all topics. */
function newToken(config: string): string {
  const ntfy = (...args: readonly string[]) =>
    spawnSync(program, [...args], { encoding: "utf8", env: { ...process.env, NTFY_PASSWORD: "a-long-password" } });
  ntfy("user", "--config", config, "add", "--role=admin", "steward");
  const { stdout, stderr } = ntfy("token", "--config", config, "add", "steward");
  const token = /tk_\w+/.exec(`${stdout}${stderr}`)?.[0];
  if (!token) throw new Error(`ntfy gave no token: ${stdout}${stderr}`);
  return token;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}
