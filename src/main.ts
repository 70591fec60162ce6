// Reads the environment and the settings, starts, stops; the only file that touches process.env.
// Rooms are imported where they are needed, so that a small command does not wait for the whole program.
import { existsSync, fstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Assistant, AssistantDeps } from "./assistant.ts";
import { runCommandLine } from "./cli/command-line.ts";
import { Failure } from "./contract/failure.ts";
import type { Command, SettingsInForce } from "./contract/room/command.ts";
import type { Finding } from "./contract/room/room.ts";
import type { Settings } from "./contract/settings.ts";
import type { GatewayClient } from "./contract/wire/client.ts";
import { realWorld } from "./contract/world.ts";
import { giveBackWhenCalm } from "./memory/thread/give-back-when-calm.ts";
import { rooms } from "./rooms.ts";

const home = resolve(process.env.STEWARD_HOME || join(homedir(), ".steward"));
const lockPath = join(home, "data", "lock.db");
let debug = isOn(process.env.STEWARD_DEBUG);
const version = String(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version);
type InterruptListener = (why?: "interrupt" | "terminate") => void;
const interruptListeners = new Set<InterruptListener>();
const ending = new AbortController();
// longer than what a closing Steward waits for, shorter than a service manager's patience
const longestEndMs = 20_000;

giveBackWhenCalm();
process.exitCode = await runCommandLine(
  {
    console: {
      input: process.stdin,
      hasInput: hasInput(),
      output: process.stdout,
      errors: process.stderr,
      colors: process.stdout.isTTY === true && !process.env.NO_COLOR,
      onInterrupt,
    },
    ...{ version, home, world: realWorld },
    ...{ connect, findRunning, runDaemon },
    running: { find: findRunning, isInUse },
    machine: {
      platform: process.platform,
      uid: process.getuid?.() ?? -1,
      userHome: homedir(),
      environment: process.env,
      node: fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url)),
      script: fileURLToPath(new URL("../scripts/steward.mjs", import.meta.url)),
    },
    openBrowser: async (url) =>
      (await import("./cli/commands/open.ts")).openInBrowser(
        { platform: process.platform, environment: process.env, folder: homedir() },
        url,
      ),
    readSettings,
    doctor,
    settingKeys,
    commands: rooms.flatMap((room): readonly Command[] => room.commands ?? []),
  },
  process.argv.slice(2),
);

function onInterrupt(listener: InterruptListener): () => void {
  if (interruptListeners.size === 0) process.on("SIGINT", tellInterrupt);
  interruptListeners.add(listener);
  return () => {
    interruptListeners.delete(listener);
    if (interruptListeners.size === 0) process.off("SIGINT", tellInterrupt);
  };
}

function tellInterrupt(): void {
  for (const listener of interruptListeners) listener("interrupt");
}

async function readSettings(): Promise<SettingsInForce> {
  const { readSettings: read } = await import("./settings/read-settings.ts");
  return read({ home, environment: process.env });
}

async function currentSettings(): Promise<SettingsInForce> {
  const read = await readSettings();
  const { settings } = read;
  return debug ? { ...read, settings: { ...settings, logs: { ...settings.logs, level: "debug" } } } : read;
}

async function settingKeys(): Promise<readonly string[]> {
  const { listSettingKeys, settingsSchema } = await import("./settings/setting-keys.ts");
  return listSettingKeys(settingsSchema()).map(({ path }) => path.join("."));
}

function isOn(variable: string | undefined): boolean {
  return variable !== undefined && !["", "0", "false", "no"].includes(variable.toLowerCase());
}

// a service manager and a container give /dev/null or nothing at all; a pipe or a file has words in it
function hasInput(): boolean {
  if (process.stdin.isTTY) return true;
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    // the descriptor is closed
    return false;
  }
}

/** The Steward that runs already, or one started inside this process. */
async function connect({ staying } = { staying: false }): Promise<GatewayClient> {
  const { settings } = await currentSettings();
  const found = await findOrStart({ mode: "chat", servesPage: staying }, settings);
  if (!("client" in found)) return found;
  // a chat ends itself, and the assistant with it; a command that does not listen is ended from here
  const asked = listenForEnd("SIGTERM", "SIGHUP");
  const end = () => {
    if (interruptListeners.size === 0) void found.close();
    for (const listener of interruptListeners) listener("terminate");
  };
  asked.addEventListener("abort", end);
  if (asked.aborted) end();
  return found.client;
}

async function findRunning(): Promise<GatewayClient | undefined> {
  return connectRunning(await socketOf(home));
}

/** Never taken away: a signal that comes between two starts is heard too; the same one again ends the process at once. */
function listenForEnd(...signals: readonly NodeJS.Signals[]): AbortSignal {
  for (const signal of signals) process.once(signal, () => ending.abort());
  return ending.signal;
}

async function runDaemon(options?: { debug: boolean }): Promise<number> {
  debug ||= options?.debug === true;
  const asked = listenForEnd("SIGTERM", "SIGHUP", "SIGINT");
  let read = await currentSettings();
  let daemon = await startDaemon(read);
  const end = () => {
    setTimeout(cutOff, longestEndMs).unref();
    void daemon.close();
  };
  asked.addEventListener("abort", end);
  for (;;) {
    // asked during its start, when there was nothing to close yet
    if (asked.aborted) end();
    await daemon.client.closed;
    // closed without being asked to: somebody wants it to start anew with other settings
    if (asked.aborted) {
      process.stdout.write("Steward has stopped.\n");
      return 0;
    }
    const before = read;
    try {
      read = await currentSettings();
      daemon = await startDaemon(read);
    } catch (cause) {
      if (!(cause instanceof Failure)) throw cause;
      // whoever changed a setting from afar must be able to change it back
      process.stderr.write(`The new settings do not work, so the ones before are used. ${cause.message}\n`);
      read = before;
      daemon = await startDaemon(before);
    }
  }
}

function cutOff(): void {
  process.stderr.write("Steward could not end in order and is cut off. The next start goes on where it was.\n");
  // it was asked to end, so a service manager has nothing to mend
  process.exit(0);
}

async function startDaemon(read: SettingsInForce): Promise<Assistant> {
  const found = await findOrStart({ mode: "daemon", servesPage: true }, read.settings);
  if (!("client" in found)) {
    const { pid } = await found.call("health.check", {});
    await found.close();
    throw new Failure(
      `Steward is running already for ${home} (process ${pid}). Stop it first, or set STEWARD_HOME to another folder.`,
    );
  }
  const { settingWarnings } = await import("./cli/setting-warnings.ts");
  for (const warning of await settingWarnings(found.client.call, read)) process.stderr.write(`${warning}\n`);
  const page = await pageWords(found.client);
  process.stdout.write(`Steward ${version} is running. Folder: ${home}. Stop it with Ctrl+C.\n${page}\n`);
  return found;
}

/** A link that lets one browser in, or why there is none. */
async function pageWords(client: GatewayClient): Promise<string> {
  const { page } = await client.call("health.check", {});
  if (!page.startsWith("http")) return page;
  // what lets somebody in is for a person who looks on, not for a file of lines
  if (!process.stdout.isTTY) return `In the browser: ${page} (a browser is let in by: steward open)`;
  return `In the browser: ${(await client.call("access.createCode", {})).url}`;
}

type StartOptions = Pick<AssistantDeps, "mode" | "servesPage">;

async function findOrStart(options: StartOptions, settings: Settings): Promise<Assistant | GatewayClient> {
  const { takeInstanceLock } = await import("./store/database/instance-lock.ts");
  const { prepareDataFolder } = await import("./store/data-folder.ts");
  const { findWorkspace } = await import("./workspace/find-workspace.ts");
  const socketPath = await socketOf(home);
  for (let tries = 0; tries < 50; tries++) {
    const running = await connectRunning(socketPath);
    if (running) return running;
    if (tries === 0)
      await prepareDataFolder({ home, path: settings.data.path, workspace: findWorkspace({ home, settings }) });
    const lock = takeInstanceLock(lockPath);
    if (lock) return startHere(options, settings, socketPath, lock.release);
    // somebody else holds the lock and does not listen yet
    await new Promise((again) => setTimeout(again, 100));
  }
  throw new Failure(
    `Another Steward is using ${home} but does not answer. Stop it, or set STEWARD_HOME to another folder.`,
  );
}

async function socketOf(folder: string): Promise<string> {
  return (await import("./gateway/local-socket-path.ts")).localSocketPath(folder);
}

async function connectRunning(socketPath: string): Promise<GatewayClient | undefined> {
  return (await import("./cli/local-client.ts")).connectLocal(socketPath);
}

async function isInUse(): Promise<boolean> {
  if (!existsSync(lockPath)) return false;
  const { takeInstanceLock } = await import("./store/database/instance-lock.ts");
  const lock = takeInstanceLock(lockPath);
  lock?.release();
  return lock === undefined;
}

async function startHere(
  options: StartOptions,
  settings: Settings,
  socketPath: string,
  releaseLock: () => void,
): Promise<Assistant> {
  const { startAssistant } = await import("./assistant.ts");
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return await startAssistant({
      home,
      settings,
      environment: process.env,
      version,
      ...options,
      webFolder: fileURLToPath(new URL("../web/dist", import.meta.url)),
      gatewayToken: process.env.STEWARD_GATEWAY_TOKEN,
      socketPath,
      world: realWorld,
      timeZone,
      showLog: debug && options.mode === "daemon" ? await logShower() : undefined,
      end: () => ending.abort(),
      releaseLock,
    });
  } catch (cause) {
    releaseLock();
    throw cause;
  }
}

/** For whoever watches a daemon that tells everything, or has its errors kept by the system. */
async function logShower(): Promise<(line: string) => void> {
  const { readLogLine } = await import("./store/daily-log/log-line.ts");
  const { logWords } = await import("./store/daily-log/log-words.ts");
  const colors = process.stderr.isTTY === true && !process.env.NO_COLOR;
  return (text) => {
    const line = readLogLine(text, "debug");
    if (line) process.stderr.write(`${logWords(line, colors)}\n`);
  };
}

async function doctor(options: { repair: boolean }): Promise<{ findings: readonly Finding[] }> {
  const { path, settings } = await readSettings();
  const findings: Finding[] = [{ ok: true, name: "settings", detail: path }];
  if (options.repair) findings.push(await repair());
  const { keys: storedKeys } = await (await import("./settings/auth-file.ts")).openAuthFile({ home }).read();
  const context = { home, settings, storedKeys, environment: process.env, world: realWorld };
  for (const room of rooms) findings.push(...((await room.checks?.(context)) ?? []));
  return { findings };
}

async function repair(): Promise<Finding> {
  const { takeInstanceLock } = await import("./store/database/instance-lock.ts");
  const { repairStore } = await import("./store/doctor/repair-store.ts");
  const lock = takeInstanceLock(lockPath);
  if (!lock) return { ok: false, name: "repair", detail: "Steward is running", next: "Stop it and run this again." };
  try {
    const { events, fromTranscripts, missing, keptCopy } = await repairStore(home, realWorld.nowMs());
    const lost = missing.length === 0 ? "nothing is missing" : `${missing.length} events could not be found anywhere`;
    const detail = `${events} events kept, ${fromTranscripts} of them from the transcripts; ${lost}; what was there lies in ${keptCopy}`;
    return { ok: missing.length === 0, name: "repair", detail };
  } finally {
    lock.release();
  }
}
