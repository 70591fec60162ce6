// The assembly: read it top to bottom to see the program. What the rooms offer is in rooms.ts; here they get what they need.
import { homedir } from "node:os";
import { join } from "node:path";
import { agentLoop } from "./agent/agent-loop.ts";
import { openPlaces, type Places } from "./agent/places.ts";
import type { ChannelLedger } from "./contract/channel/channel-ledger.ts";
import type { IncomingMessage } from "./contract/incoming-message.ts";
import { type Offered, prepareRooms } from "./contract/room/open-rooms.ts";
import type { RoomDefinition } from "./contract/room/room.ts";
import type { RoomBase } from "./contract/room/room-base.ts";
import { sleep } from "./contract/room/sleep.ts";
import type { Sender } from "./contract/sender.ts";
import type { Settings } from "./contract/settings.ts";
import type { TextFiles } from "./contract/text-files.ts";
import { owner } from "./contract/wire/caller.ts";
import type { GatewayClient } from "./contract/wire/client.ts";
import { openCalendar } from "./contract/words/calendar.ts";
import type { World } from "./contract/world.ts";
import { openDelivery } from "./gateway/deliver.ts";
import { type Gateway, inProcessClient, openGateway } from "./gateway/gateway.ts";
import { type LiveBus, openLiveBus } from "./gateway/live-bus.ts";
import { receiveMessage } from "./gateway/receive.ts";
import { fetchGuarded, resolveGuarded, resolveUrlGuarded } from "./guard/address/guarded-network.ts";
import { openAskModel } from "./guard/ask-model.ts";
import { openBudget } from "./guard/budget.ts";
import type { Guard } from "./guard/judgement.ts";
import { noteVerdicts } from "./guard/note-verdicts.ts";
import { openQuarantinedReader } from "./guard/quarantined-reader.ts";
import { configuredSecrets } from "./guard/redaction/configured-secrets.ts";
import { openRedactor, type Redactor } from "./guard/redaction/redactor.ts";
import { openRunningCommands, type RunningCommands } from "./guard/running-commands.ts";
import { noteRequests } from "./models/note-requests.ts";
import type { Models } from "./models/open-models.ts";
import { realModels } from "./models/real-models.ts";
import { openApprovalExpiry } from "./queue/expire-approvals.ts";
import { openQueue, type Queue } from "./queue/queue.ts";
import { rooms as allRooms } from "./rooms.ts";
import { openAuthFile } from "./settings/auth-file.ts";
import { safetyWarnings } from "./settings/safety-warnings.ts";
import { openChannelLedger } from "./store/channels/ledger.ts";
import { type DailyLog, openDailyLog } from "./store/daily-log/daily-log.ts";
import { openEventNotes } from "./store/daily-log/event-notes.ts";
import { openTroubleRecord } from "./store/log/trouble-record.ts";
import { openStore, type Store } from "./store/open-store.ts";
import { openTextFiles } from "./tools/files/open-text-files.ts";
import { type OutputStore, openOutputStore } from "./tools/outputs/output-store.ts";
import { allowedDirs } from "./tools/sandbox/allowed-dirs.ts";
import { openFileChanges, type SharedFileChanges } from "./tools/undo/file-changes.ts";
import { findWorkspace } from "./workspace/find-workspace.ts";
import { listAgents } from "./workspace/list-agents.ts";
import { openProfiles } from "./workspace/open-profiles.ts";
import { openWorkspace, type Workspace } from "./workspace/open-workspace.ts";
import { readWorkspaceEnvironment } from "./workspace/workspace-environment.ts";

export type AssistantDeps = {
  home: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
  mode: "chat" | "daemon";
  /** False: it lives for one command, and nobody else is let in. */
  servesPage: boolean;
  /** The built page. */
  webFolder: string;
  /** An owner's token that the environment gives. */
  gatewayToken: string | undefined;
  socketPath: string;
  world: World;
  timeZone: string;
  /** Shows each line of the log to a person who looks on. */
  showLog?: ((line: string) => void) | undefined;
  /** Asks the whole program to end; returns at once. */
  end(): void;
  /** Lets the next process have the data folder; called last. */
  releaseLock(): void;
  /** What a test puts in the place of the real thing. */
  instead?: Partial<Replaceable>;
};

/** The world around the program, and what only shortens waiting. */
type Replaceable = {
  rooms: readonly RoomDefinition<Base>[];
  models: Models;
  guard: Guard;
  redactor: Redactor;
  onTrouble(message: string, cause: unknown): void;
  hardStopAfterMs: number;
  retryTurnAfterMs: number;
  heartbeatMs: number;
};

export type Assistant = {
  client: GatewayClient;
  log: DailyLog;
  /** For whoever looks inside: the parts that everything else goes through. */
  inside: { store: Store; queue: Queue; gateway: Gateway; offered: Offered };
  /** Turns may finish for a while; what is left goes on with the next start. */
  close(graceMs?: number): Promise<void>;
};

/** What every room is opened over; a room names the parts it takes. */
export type Base = RoomBase & {
  store: Store;
  models: Models;
  queue: Queue;
  gateway: Gateway;
  live: LiveBus;
  network: typeof network;
  outputs: OutputStore;
  fileChanges: SharedFileChanges;
  textFiles: TextFiles;
  runningCommands: RunningCommands;
  askModel: ReturnType<typeof openAskModel>;
  readQuarantined: ReturnType<typeof openQuarantinedReader>;
  agents(): Promise<Awaited<ReturnType<typeof listAgents>>["agents"]>;
  conventionFiles: Workspace["loadConventionFiles"];
  auth: { keys: Readonly<Record<string, string>>; keep(name: string, value: string): Promise<void> };
  /** What is known of channels and groups. */
  ledger: ChannelLedger;
  /** As the owner's own client: channels call what the terminal and the page call. */
  client(sender?: Sender): GatewayClient;
  hideValues(values: readonly string[]): void;
  sleep: typeof sleep;
  restart(): void;
  end(): void;
  processEnvironment: AssistantDeps["environment"];
  startedAtMs: number;
} & Pick<Places, "reachOf" | "checkFolder"> &
  Pick<AssistantDeps, "mode" | "servesPage" | "webFolder" | "gatewayToken" | "socketPath"> &
  Partial<Pick<Replaceable, "heartbeatMs">>;

const shutdownGraceMs = 2_000;

// all of it goes through the address guard
const network = { fetch: fetchGuarded, resolve: resolveGuarded, resolveUrl: resolveUrlGuarded };

export async function startAssistant(deps: AssistantDeps): Promise<Assistant> {
  const { home, settings, world, timeZone, instead = {} } = deps;
  const { nowMs } = world;
  const startedAtMs = nowMs();
  // somebody may ask for the end as soon as the first way in is open: it comes when there is everything to close
  const started = Promise.withResolvers<void>();
  // whoever started it is told by the failure itself
  started.promise.catch(() => undefined);
  const { promise: closed, resolve: tellClosed } = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  const workspace = await openWorkspace({ path: findWorkspace(deps) });
  const own = await readWorkspaceEnvironment(workspace.path, deps.environment);
  const environment = { ...deps.environment, ...own.variables };

  const authFile = openAuthFile({ home });
  const stored = await authFile.read();
  const redactor =
    instead.redactor ??
    openRedactor({
      known: configuredSecrets({ environment, storedKeys: stored.keys, settings }),
      searches: settings.safety.secretsFilter,
    });
  const { redact } = redactor;
  const log = openDailyLog({ folder: join(home, "logs"), ...settings.logs, nowMs, redact, show: deps.showLog });
  const { debug: note } = log;
  const isDebug = settings.logs.level === "debug";
  for (const warning of [...own.warnings, ...stored.warnings, ...safetyWarnings(settings)]) log.warn(warning);
  const troubles = openTroubleRecord({ nowMs, tell: log.error, redact });
  const trouble = instead.onTrouble ?? troubles.add;

  const auditsConversations = settings.safety.auditLog;
  const store = await openStore({ home, nowMs, redact, onTrouble: trouble, auditsConversations });
  troubles.writeTo(store.log);
  const plainModels = instead.models ?? realModels({ ...deps, environment, storedKeys: stored.keys, sleep, nowMs });
  const models = isDebug ? noteRequests({ note, nowMs }, plainModels) : plainModels;
  const budget = openBudget({ ...store, settings: settings.budgets, nowMs, calendar: openCalendar(timeZone) });
  const rooms = prepareRooms({ trouble, note });
  const { offered } = rooms;
  const outputs = openOutputStore({ folder: join(home, "data", "outputs"), nowMs });
  const [{ name: agentName, default: defaultAgent }, { promptParts }] = [settings.agent, offered];
  const profiles = openProfiles({ workspace, agentName, defaultAgent, timeZone, nowMs, warn: log.warn, promptParts });
  const live = openLiveBus();
  const notes = openEventNotes(log.write);
  live.subscribe(notes.addLive);
  store.log.subscribe(notes.add);
  store.log.subscribe(live.settleBy);
  const places = { stewardHome: home, userHome: homedir() };
  const { extraDirs, refusals } = allowedDirs(places, workspace.path, settings.sandbox);
  for (const refusal of refusals) log.warn(refusal);
  const ledger = openChannelLedger(store);
  const guardIn = (guard: Guard) => (isDebug ? noteVerdicts(note, instead.guard ?? guard) : (instead.guard ?? guard));
  const working = { home, workspace: workspace.path, extraDirs, settings };
  const agentPlaces = openPlaces({ ...working, ...store, ...ledger, guardIn });
  const backend = agentLoop({
    ...store,
    ...{ world, models, timeZone, budget, settings, redactor, outputs },
    ...{ tools: offered.tools, recall: offered.recall },
    places: agentPlaces,
    profile: profiles.at,
    live: live.emit,
    hardStopAfterMs: instead.hardStopAfterMs ?? 2_000,
  });
  const queue = openQueue({
    world,
    ...store,
    backend,
    settings: settings.queue,
    onTrouble: trouble,
    retryAfterMs: instead.retryTurnAfterMs ?? 10_000,
  });
  const gateway = openGateway({
    methods: offered.methods,
    log: store.log,
    live,
    onFollow: () =>
      void Promise.all([models.prepare(), offered.recall()?.prepare()]).catch((cause) =>
        trouble("What the first message needs could not be prepared.", cause),
      ),
    onTrouble: trouble,
  });
  const runningCommands = openRunningCommands(workspace.path, extraDirs);
  const askModel = openAskModel({ models, budget, log: store.log, nowMs, redact, ...settings.agent });
  const fileChanges = openFileChanges({ home, world, whyKeep: runningCommands.whyKeep, redact });
  const base: Base = {
    ...deps,
    ...instead,
    processEnvironment: deps.environment,
    environment,
    workspace: workspace.path,
    startedAtMs,
    ...{ store, models, queue, gateway, live, network, outputs, runningCommands, ledger },
    client: (sender = owner.sender) => inProcessClient(gateway, { ...owner, sender }, closed, close),
    ...{ reachOf: agentPlaces.reachOf, checkFolder: agentPlaces.checkFolder },
    auth: { keys: stored.keys, keep: authFile.setKey },
    ...{ offered, redact, trouble, note, sleep, extraDirs, conventionFiles: workspace.loadConventionFiles },
    ...{ fileChanges, textFiles: openTextFiles(fileChanges) },
    readQuarantined: openQuarantinedReader({ ask: askModel }),
    askModel,
    agents: async () => (await listAgents({ path: workspace.path, mainName: agentName })).agents,
    hideValues: redactor.addKnown,
    // what happens on its own comes in the same way as a message
    receive: (message: IncomingMessage) =>
      receiveMessage({ world, log: store.log, queue, maxWaiting: settings.queue.maxWaiting }, message),
    restart: () => void close(),
  };
  let expiry: Awaited<ReturnType<typeof openApprovalExpiry>> | undefined;
  try {
    await rooms.open(instead.rooms ?? allRooms, base);
    await rooms.start();
    expiry = await openApprovalExpiry({ world, ...store, wake: queue.wake, onTrouble: trouble });
    await queue.resume();
  } catch (cause) {
    started.reject(cause);
    // whatever stays open would keep a process alive that has said it cannot start
    await queue.close(0);
    await rooms.close();
    await store.close();
    await log.close();
    throw cause;
  }
  const { lateAfterMinutes } = settings.channels;
  const sending = { senders: offered.senders(), lateAfterMinutes, nowMs, sleep };
  const delivery = openDelivery({ ...sending, ...store, onTrouble: trouble });
  const { version, mode } = deps;
  log.info("started", { version, mode, home, model: settings.agent.model, readyMs: nowMs() - startedAtMs });

  started.resolve();
  return {
    client: inProcessClient(gateway, owner, closed, close),
    log,
    inside: { store, queue, gateway, offered },
    close,
  };

  function close(graceMs = shutdownGraceMs): Promise<void> {
    closing ??= started.promise.then(() => closeAll(graceMs));
    return closing;
  }

  // the rooms close after the turns, so that whoever watches sees them end; what comes in meanwhile is kept for the next start
  async function closeAll(graceMs: number): Promise<void> {
    // what is waited for here, such as a thread at rest, may be no reason of its own for the process to stay
    const stay = setInterval(() => {}, 60_000);
    expiry?.close();
    await queue.close(graceMs);
    await agentPlaces.close();
    await delivery.close();
    await rooms.close();
    try {
      await store.close();
      log.info("stopped");
    } catch (cause) {
      // a disk that failed must not keep the next process out
      log.error("The store could not be closed.", cause);
    }
    await log.close();
    deps.releaseLock();
    tellClosed();
    clearInterval(stay);
  }
}
