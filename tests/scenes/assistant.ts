import { onTestFinished } from "vitest";
import { agentLoop } from "../../src/agent/agent-loop.ts";
import type { Redactor } from "../../src/agent/turn-deps.ts";
import type { Followed } from "../../src/contract/client.ts";
import type { Event, EventOf, EventType } from "../../src/contract/event.ts";
import type { ModelProvider } from "../../src/contract/model.ts";
import { Settings } from "../../src/contract/settings.ts";
import type { Tool } from "../../src/contract/tool.ts";
import { realWorld } from "../../src/contract/world.ts";
import { openGateway } from "../../src/gateway/gateway.ts";
import { openLiveBus } from "../../src/gateway/live-bus.ts";
import { serveConversations } from "../../src/gateway/methods/conversation-methods.ts";
import type { UndoChanges } from "../../src/gateway/undo-changes.ts";
import { openBudget } from "../../src/guard/budget.ts";
import { openGuard } from "../../src/guard/guard.ts";
import type { Guard } from "../../src/guard/judgement.ts";
import { openApprovalExpiry } from "../../src/queue/expire-approvals.ts";
import { openQueue } from "../../src/queue/queue.ts";
import type { Store } from "../../src/store/open-store.ts";
import { isGranted } from "../../src/store/tables/current-state.ts";
import { hashWorkspaceFile } from "../../src/tools/files/hash-workspace-file.ts";
import { conversation, storeIn } from "./stores.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const plainRedactor = {
  redact: (text: string) => text,
  stream: () => ({ write: (piece: string) => piece, end: () => "" }),
};
const owner = { sender: { kind: "owner", id: "owner" }, scope: "owner" } as const;

export type HouseOptions = {
  home?: string;
  model: ModelProvider;
  tools?: readonly Tool[];
  toolsOf?: (store: Store) => readonly Tool[];
  guard?: Guard;
  workspace?: string;
  /** Approvals are bound to what the files hold. */
  hashesFiles?: boolean;
  undoChanges?: UndoChanges;
  redactor?: Redactor;
  settings?: unknown;
  nowMs?: () => number;
  hardStopAfterMs?: number;
};

/** The rooms from the store to the gateway, real and wired, with a scripted model and the test's own tools. */
export async function openHouse(options: HouseOptions) {
  const home = options.home ?? (await temporaryFolder());
  const settings = Settings.parse(options.settings ?? {});
  const world = { ...realWorld, ...(options.nowMs && { nowMs: options.nowMs }) };
  const store = await storeIn(home, { nowMs: world.nowMs });
  const live = openLiveBus();
  const troubles: unknown[] = [];
  const onTrouble = (message: string, cause: unknown) => troubles.push([message, cause]);
  const backend = agentLoop({
    world,
    log: store.log,
    database: store.database,
    attachments: store.attachments,
    models: options.model,
    tools: async () => options.toolsOf?.(store) ?? options.tools ?? [],
    guard:
      options.guard ??
      openGuard({
        settings: settings.guard,
        judgeShell: async () => ({
          verdict: "ask",
          rule: "none",
          reason: "no shell here",
          readsOnly: false,
          files: [],
        }),
        commandsHaveNetwork: false,
        isGranted: (binding) => isGranted(store.database, binding),
        hashFile: options.hashesFiles ? hashWorkspaceFile : async () => "",
      }),
    budget: openBudget({ database: store.database, settings: settings.budgets, nowMs: world.nowMs }),
    workspace: options.workspace ?? home,
    settings,
    profile: async () => ({
      model: undefined,
      toolNames: undefined,
      system: [{ text: "You are Steward.", stable: true }],
    }),
    live: live.emit,
    redactor: options.redactor ?? plainRedactor,
    outputs: { keep: async () => "out_0" },
    hardStopAfterMs: options.hardStopAfterMs ?? 200,
  });
  const queue = openQueue({
    world,
    log: store.log,
    database: store.database,
    backend,
    settings: settings.queue,
    onTrouble,
    retryAfterMs: 50,
  });
  const conversations = serveConversations({
    world,
    log: store.log,
    database: store.database,
    attachments: store.attachments,
    queue,
    maxWaiting: settings.queue.maxWaiting,
    models: options.model,
    agents: async () => [{ id: "main", name: "Steward", description: "" }],
    undoChanges: options.undoChanges ?? (async () => ({ output: "undone" })),
    describeCommands: async () => "off in this test",
    describePage: () => "not served in this test",
    about: { version: "0", home, mode: "chat", startedAtMs: 0 },
  });
  const gateway = openGateway({
    served: conversations,
    log: store.log,
    live,
    onFollow: () => {},
    onTrouble,
  });
  const expiry = await openApprovalExpiry({
    world,
    log: store.log,
    database: store.database,
    wake: queue.wake,
    onTrouble,
  });
  let closing: Promise<void> | undefined;
  const close = (graceMs = 0) => {
    closing ??= (async () => {
      expiry.close();
      await queue.close(graceMs);
      await store.close();
    })();
    return closing;
  };
  onTestFinished(() => close());
  await queue.resume();

  const until = async <Type extends EventType>(type: Type, count = 1): Promise<readonly EventOf<Type>[]> => {
    for (;;) {
      const found = (await store.log.since(0, 10_000)).filter((event): event is EventOf<Type> => event.type === type);
      if (found.length >= count) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    home,
    store,
    queue,
    gateway,
    troubles,
    close,
    until,
    call: (method: string, params: unknown) => gateway.call(owner, method, params),
    say: (message: string, sessionKey = conversation, idempotencyKey?: string) =>
      gateway.call(owner, "chat.send", { sessionKey, message, idempotencyKey }),
    follow: (since: number, listener: (followed: Followed) => void) => gateway.follow(owner, since, listener),
    events: (): Promise<readonly Event[]> => store.log.since(0, 10_000),
    replies: async () =>
      (await store.log.since(0, 10_000)).flatMap((event) => (event.type === "reply.written" ? [event.text] : [])),
  };
}
