// The wiring: read it top to bottom to see the house. The only file that knows every room.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { agentLoop } from "./agent/agent-loop.ts";
import type { GatewayClient } from "./contract/client.ts";
import { followedChannels } from "./contract/conversation-key.ts";
import type { Settings } from "./contract/settings.ts";
import type { World } from "./contract/world.ts";
import { openDoors, owner } from "./doors.ts";
import { openDelivery } from "./gateway/deliver.ts";
import { inProcessClient } from "./gateway/gateway.ts";
import { openLiveBus } from "./gateway/live-bus.ts";
import { receiveMessage } from "./gateway/receive.ts";
import { openBudget } from "./guard/budget.ts";
import { openGuard } from "./guard/guard.ts";
import { openRedactor } from "./guard/redaction/redactor.ts";
import { openHands } from "./hands.ts";
import { openOfflineModel } from "./models/offline/open-offline-model.ts";
import { openModels } from "./models/open-models.ts";
import { openApprovalExpiry } from "./queue/expire-approvals.ts";
import { openQueue } from "./queue/queue.ts";
import { openAuthFile } from "./settings/auth-file.ts";
import { type DailyLog, openDailyLog } from "./store/daily-log/daily-log.ts";
import { openStore } from "./store/open-store.ts";
import { isGranted } from "./store/tables/current-state.ts";
import { hashWorkspaceFile } from "./tools/files/hash-workspace-file.ts";
import { findLostProcesses } from "./tools/shell/lost-processes.ts";
import { finishedMessage, lostMessage, type ProcessMessage } from "./tools/shell/process-messages.ts";
import { openProfiles } from "./workspace/open-profiles.ts";
import { openWorkspace } from "./workspace/open-workspace.ts";
import { readWorkspaceEnvironment } from "./workspace/workspace-environment.ts";

export type AssistantDeps = {
  home: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
  mode: "chat" | "daemon";
  /** Browsers and other programs may come in by HTTP. */
  doors: boolean;
  /** The built page. */
  webFolder: string;
  /** An owner's token that the environment gives. */
  gatewayToken: string | undefined;
  socketPath: string;
  world: World;
  timeZone: string;
  /** Lets the next process have the data folder; called last. */
  releaseLock(): void;
};

export type Assistant = {
  client: GatewayClient;
  log: DailyLog;
  /** A link that lets one browser in, or why there is none. */
  pageWords(): string;
  /** Turns may finish for a while; what is left goes on with the next start. */
  close(): Promise<void>;
};

const shutdownGraceMs = 2_000;

export async function startAssistant(deps: AssistantDeps): Promise<Assistant> {
  const { home, settings, world } = deps;
  const startedAtMs = world.nowMs();

  const workspace = await openWorkspace({ path: workspacePath(deps) });
  const own = await readWorkspaceEnvironment(workspace.path, deps.environment);
  const environment = { ...deps.environment, ...own.variables };

  const stored = await openAuthFile({ home }).read();
  const redactor = openRedactor({ known: [...secretsIn(environment), ...Object.values(stored.keys)] });
  const { redact } = redactor;
  const log = openDailyLog({ folder: join(home, "logs"), ...settings.logs, nowMs: world.nowMs, redact });
  for (const warning of [...own.warnings, ...stored.warnings]) log.warn(warning);
  const onTrouble = (message: string, cause: unknown) => log.error(message, cause);

  const store = await openStore({ home, nowMs: world.nowMs, redact, onTrouble });
  const offline = openOfflineModel({ nowMs: world.nowMs, timeZone: deps.timeZone });
  // naming fetch is enough to load it, and a start without a model needs none
  const lazyFetch: typeof fetch = (input, init) => fetch(input, init);
  const models = openModels({
    settings,
    environment,
    storedKeys: stored.keys,
    offline,
    fetch: lazyFetch,
    sleep,
    nowMs: world.nowMs,
    random: Math.random,
  });
  const lost = await findLostProcesses(store.log);
  const hands = await openHands({
    ...deps,
    environment,
    workspace: workspace.path,
    store,
    models,
    redact,
    onTrouble,
    onProcessFinished: (finished) => tell(finishedMessage(finished, redact)),
  });

  const { timeZone } = deps;
  const profiles = openProfiles({
    workspace,
    agentName: settings.agent.name,
    timeZone,
    nowMs: world.nowMs,
    warn: log.warn,
  });
  const live = openLiveBus();
  const backend = agentLoop({
    world,
    ...store,
    models,
    tools: hands.tools,
    guard: openGuard({
      settings: settings.guard,
      // the shell rules are large, and most conversations need none of them
      judgeShell: async (command) => {
        const { judgeShell, shellPolicyFor } = await import("./guard/judge-shell.ts");
        return judgeShell(shellPolicyFor(settings, workspace.path), command);
      },
      commandsHaveNetwork: settings.sandbox.allowedHosts.length > 0 || settings.sandbox.kind === "none",
      isGranted: (binding) => isGranted(store.database, binding),
      hashFile: hashWorkspaceFile,
    }),
    budget: openBudget({ database: store.database, settings: settings.budgets, nowMs: world.nowMs }),
    workspace: workspace.path,
    settings,
    profile: (conversation, agent, offered) =>
      profiles.of(
        conversation,
        agent,
        offered.map((tool) => tool.name),
      ),
    live: live.emit,
    redactor,
    outputs: hands.outputs,
    hardStopAfterMs: 2_000,
  });
  const queue = openQueue({ world, ...store, backend, settings: settings.queue, onTrouble, retryAfterMs: 10_000 });
  const opening = openDoors({
    ...deps,
    environment,
    async openSettingsFile() {
      const { openSettingsFile } = await import("./settings/open-settings-file.ts");
      return openSettingsFile({ home, environment: deps.environment, running: settings });
    },
    redactor,
    fetch: lazyFetch,
    sleep,
    restart: () => void close(),
    startedAtMs,
    workspace: workspace.path,
    store,
    queue,
    live,
    models,
    hands,
    onTrouble,
  });
  const doors = await opening.catch(async (cause) => {
    // whatever stays open would keep a process alive that has said it cannot start
    await queue.close(0);
    await hands.close();
    await store.close();
    log.close();
    throw cause;
  });
  store.log.subscribe((events) => {
    for (const event of events)
      if (event.type === "step.finished" || event.type === "turn.finished") live.settle(event.turn);
  });

  const deliveries = followedChannels.map((channel) =>
    openDelivery({ channel, ...store, send: async () => {}, retryAfterMs: 5_000, onTrouble }),
  );
  const expiry = await openApprovalExpiry({ world, ...store, wake: queue.wake, onTrouble });
  for (const process of lost) await tell(lostMessage(process));
  await queue.resume();
  log.info("started", { version: deps.version, mode: deps.mode, readyMs: world.nowMs() - startedAtMs });

  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  return { client: inProcessClient(doors.gateway, owner, closed, close), log, pageWords: doors.pageWords, close };

  // what happens on its own comes in by the same door as a message
  async function tell(message: ProcessMessage | undefined): Promise<void> {
    if (message) await receiveMessage({ world, log: store.log, queue, maxWaiting: settings.queue.maxWaiting }, message);
  }

  function close(): Promise<void> {
    closing ??= closeRooms();
    return closing;
  }

  // the door closes after the turns, so that whoever watches sees them end; what comes in meanwhile is kept for the next start
  async function closeRooms(): Promise<void> {
    expiry.close();
    await queue.close(shutdownGraceMs);
    for (const delivery of deliveries) await delivery.close();
    await doors.close();
    await hands.close();
    await store.close();
    log.info("stopped");
    log.close();
    deps.releaseLock();
    tellClosed();
  }
}

// names that say what they hold; the redactor knows such values in every spelling
function secretsIn(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value && /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|COOKIE/i.test(name) ? [value] : [],
  );
}

function workspacePath(deps: AssistantDeps): string {
  const { path } = deps.settings.workspace;
  if (path === null) return join(deps.home, "workspace");
  return resolve(path.startsWith("~/") ? join(homedir(), path.slice(2)) : path);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      done();
    }
  });
}
