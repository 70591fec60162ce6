// The same assembly that the program opens, in a folder of its own, with the world around it replaced.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Redactor } from "../../src/agent/turn-deps.ts";
import { type Base, startAssistant } from "../../src/assistant.ts";
import type { Event, EventOf, EventType } from "../../src/contract/event.ts";
import type { ModelProvider } from "../../src/contract/model.ts";
import type { RoomDefinition } from "../../src/contract/room/room.ts";
import { Settings } from "../../src/contract/settings.ts";
import type { Tool } from "../../src/contract/tool.ts";
import { owner } from "../../src/contract/wire/caller.ts";
import type { Followed } from "../../src/contract/wire/client.ts";
import { realWorld } from "../../src/contract/world.ts";
import { unboundedSink } from "../../src/gateway/follow/follow-log.ts";
import { conversationsRoom } from "../../src/gateway/methods/methods-rooms.ts";
import type { Guard } from "../../src/guard/judgement.ts";
import type { Store } from "../../src/store/open-store.ts";
import { eventually } from "./eventually.ts";
import { conversation } from "./stores.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const plainRedactor = {
  redact: (text: string) => text,
  stream: () => ({ write: (piece: string) => piece, end: () => "" }),
};

export type AssistantOptions = {
  home?: string;
  model: ModelProvider;
  tools?: readonly Tool[];
  toolsOf?: (store: Store) => readonly Tool[];
  /** Further rooms beside the conversations and the test's own tools. */
  rooms?: readonly RoomDefinition<Base>[];
  guard?: Guard;
  workspace?: string;
  redactor?: Redactor;
  /** With an environment, what is said is masked as the program itself does it. */
  environment?: Record<string, string>;
  settings?: Record<string, unknown>;
  nowMs?: () => number;
  hardStopAfterMs?: number;
  servesPage?: boolean;
  webFolder?: string;
  heartbeatMs?: number;
};

/** Everything real from the store to the gateway; the model, the tools and the clock are the test's own. */
export async function openAssistant(options: AssistantOptions) {
  const home = options.home ?? (await temporaryFolder());
  const workspace = options.workspace ?? join(home, "workspace");
  const troubles: unknown[] = [];
  const assistant = await startAssistant({
    home,
    settings: Settings.parse({
      ...options.settings,
      workspace: { path: workspace },
    }),
    environment: options.environment ?? {},
    version: "0.0.0",
    mode: "daemon",
    servesPage: options.servesPage ?? false,
    webFolder: options.webFolder ?? join(home, "page"),
    gatewayToken: undefined,
    socketPath: join(home, "local.sock"),
    world: { ...realWorld, ...(options.nowMs && { nowMs: options.nowMs }) },
    timeZone: "UTC",
    end() {},
    releaseLock() {},
    instead: {
      rooms: [conversationsRoom, testTools(options), ...(options.rooms ?? [])],
      models: { ...options.model, setup: () => Promise.reject(new Error("no model is connected in this test")) },
      ...(options.guard && { guard: options.guard }),
      ...(!options.environment && { redactor: { addKnown() {}, ...(options.redactor ?? plainRedactor) } }),
      onTrouble: (message, cause) => troubles.push([message, cause]),
      hardStopAfterMs: options.hardStopAfterMs ?? 200,
      retryTurnAfterMs: 50,
      ...(options.heartbeatMs !== undefined && { heartbeatMs: options.heartbeatMs }),
    },
  });
  const { store, queue, gateway, offered } = assistant.inside;
  const close = (graceMs = 0) => assistant.close(graceMs);
  onTestFinished(() => close());

  const events = (): Promise<readonly Event[]> => store.log.since(0, 10_000);
  const until = async <Type extends EventType>(type: Type, count = 1): Promise<readonly EventOf<Type>[]> => {
    const found = async () => (await events()).filter((event): event is EventOf<Type> => event.type === type);
    await eventually(async () => (await found()).length >= count);
    return found();
  };
  return {
    home,
    workspace,
    store,
    queue,
    gateway,
    offered,
    troubles,
    close,
    until,
    call: (method: string, params: unknown) => gateway.call(owner, method, params),
    say: (message: string, sessionKey = conversation, idempotencyKey?: string) =>
      gateway.call(owner, "chat.send", { sessionKey, message, idempotencyKey }),
    follow: (since: number, listener: (followed: Followed) => void) =>
      gateway.follow(owner, since, unboundedSink(listener)),
    events,
    replies: async () => (await events()).flatMap((event) => (event.type === "reply.written" ? [event.text] : [])),
  };
}

function testTools({ tools = [], toolsOf }: AssistantOptions): RoomDefinition<Base> {
  return {
    name: "tools of the test",
    open: async ({ store }) => ({ tools: async () => toolsOf?.(store) ?? tools }),
  };
}
