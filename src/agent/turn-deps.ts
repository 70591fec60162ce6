import type { AttachmentStore } from "../contract/attachment.ts";
import type { Group } from "../contract/channel/group.ts";
import type { Recall } from "../contract/memory/recall.ts";
import type { ModelProvider } from "../contract/model.ts";
import type { Settings } from "../contract/settings.ts";
import type { ExtraDirs, Tool } from "../contract/tool.ts";
import type { LiveSignal } from "../contract/wire/live-signal.ts";
import type { World } from "../contract/world.ts";
import type { Budget } from "../guard/budget.ts";
import type { Guard } from "../guard/judgement.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";

/** Masks secrets; a stream gives the same result as the whole text at once, however it is cut. */
export type Redactor = { redact(text: string): string; stream(): { write(piece: string): string; end(): string } };

export type SystemPrompt = readonly { text: string; stable: boolean }[];

/** Who speaks in a conversation: the main agent, or one that the owner has written. */
export type AgentProfile = {
  model: string | undefined;
  toolNames: readonly string[] | undefined;
  system: SystemPrompt;
  /** Where fewer steps are enough than the settings allow. */
  maxSteps?: number;
};

export type TurnDeps = {
  world: World;
  /** Where the owner lives. */
  timeZone: string;
  log: EventLog;
  database: Database;
  attachments: AttachmentStore;
  models: ModelProvider;
  tools: readonly Tool[];
  guard: Guard;
  budget: Budget;
  workspace: string;
  extraDirs?: ExtraDirs;
  /** The group whose conversation it is; then workspace, guard and the rest are the group's. */
  group?: Group | undefined;
  /** Tools that there are and that may not be used here. */
  withheld?: readonly string[];
  settings: Pick<Settings, "agent" | "session" | "approvals" | "guard" | "tools">;
  profile(
    at: { conversation: string; workspace: string; group: Group | undefined },
    agent: string | undefined,
    tools: readonly Tool[],
  ): Promise<AgentProfile>;
  /** Undefined: there is no memory. */
  recall?(): Recall | undefined;
  live(signal: LiveSignal): void;
  /** Stands before whatever a tool returns and whatever is said. */
  redactor: Redactor;
  /** Where outputs go that are too long for the model. */
  outputs: { keep(output: { conversation: string; text: string; labels: readonly string[] }): Promise<string> };
  /** How long a stopped tool may take to let go before its outcome is called unknown. */
  hardStopAfterMs: number;
};
