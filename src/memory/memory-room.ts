// What lasts between conversations, and how it is found.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Group } from "../contract/channel/group.ts";
import type { RoomDefinition } from "../contract/room/room.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { TextFiles } from "../contract/text-files.ts";
import type { Store } from "../store/open-store.ts";
import { memoryCommand } from "./commands/memory-command.ts";
import type { KeptVersions, NoteTexts } from "./notes/note-files.ts";

export type MemoryBase = Pick<
  RoomBase,
  "home" | "workspace" | "settings" | "environment" | "world" | "timeZone" | "redact" | "trouble"
> & {
  store: Store;
  auth: { keys: Readonly<Record<string, string>> };
  ledger: { groupOf(conversation: string): Promise<Group | undefined>; groups(): Promise<readonly Group[]> };
  fileChanges: { ownTexts: NoteTexts; checkpoints: KeptVersions };
  textFiles: TextFiles;
  outputs: {
    read(
      conversation: string,
      handle: string,
      range: { offset: number; limit: number },
    ): Promise<{ text: string } | undefined>;
  };
};

/** Nothing of it is loaded before something is looked for. */
export const memoryRoom: RoomDefinition<MemoryBase> = {
  name: "memory",
  commands: [memoryCommand],
  checks: async (context) => (await import("./check-memory.ts")).checkMemory(context),
  async open(base) {
    const { serveLazily } = await import("../contract/room/room-methods.ts");
    const { memoryMethods } = await import("../contract/wire/methods/memory.ts");
    const { noteMethods } = await import("../contract/wire/methods/notes.ts");
    const { conversationState } = await import("../store/tables/conversations.ts");
    const { openForgetting } = await import("./forget/open-forgetting.ts");
    const { openNotes } = await import("./notes/open-notes.ts");
    const { openMemory } = await import("./open-memory.ts");
    const { openRecall } = await import("./recall.ts");
    const { openConversations } = await import("./sources/conversations.ts");
    const { memoryTools } = await import("./tools/memory-tools.ts");
    const { home, workspace, environment, timeZone, trouble, redact, world, textFiles } = base;
    const { memory: settings, agent } = base.settings;
    const { log, database } = base.store;
    const { groups, groupOf } = base.ledger;
    const { nowMs, newId } = world;
    const conversations = openConversations({
      ...{ database, log, timeZone, agentName: agent.name },
      groupOf: async (conversation) => (await groupOf(conversation))?.name,
    });
    const places = { home, workspace, environment, storedKeys: base.auth.keys, settings };
    const memory = openMemory({ ...places, conversations, groups, nowMs, trouble });
    const kept = { texts: base.fileChanges.ownTexts, versions: base.fileChanges.checkpoints };
    const noteDeps = { home, workspace, database, log, groupOf, ...kept, extraPaths: settings.extraPaths };
    const whole = { offset: 0, limit: Number.MAX_SAFE_INTEGER };
    const forgetting = openForgetting({
      ...{ ...noteDeps, newId, catchUpIndex: catchUp },
      wholeOutput: async (conversation, handle) => (await base.outputs.read(conversation, handle, whole))?.text,
    });
    const tools = memoryTools({
      ...{ memory, forgetting, redact, timeZone, nowMs, files: textFiles },
      eventsOf: log.ofTurn,
      labelsIn: async (conversation) => (await conversationState(database, conversation))?.labels ?? [],
    });
    const unsubscribe = log.subscribe((events) => {
      // what its index holds is nobody's any more
      if (events.some(({ type }) => type === "group.removed")) void catchUp();
      for (const event of events) if (event.type === "turn.finished") void afterTurn(event.turn);
    });
    return {
      tools: async () => tools,
      methods: {
        ...serveLazily(memoryMethods, async () =>
          (await import("./memory-methods.ts")).serveMemory({ memory, forgetting, database, log, groupOf }),
        ),
        ...serveLazily(noteMethods, async () =>
          (await import("./notes/note-methods.ts")).serveNotes({ notes: openNotes(noteDeps), forgetting }),
        ),
      },
      recall: openRecall({ memory, settings, sizeOf }),
      forget: () => memory.catchUp(),
      catchUp: () => memory.catchUp(),
      async start() {
        for (const why of await forgetting.goOn()) trouble(why, undefined);
      },
      async close() {
        unsubscribe();
        await memory.close();
      },
    };

    async function afterTurn(turn: string): Promise<void> {
      try {
        await forgetting.afterTurn(turn);
      } catch (cause) {
        trouble("The question by which something was forgotten still quotes it. That goes at the next start.", cause);
      }
    }

    /** False: it still holds what was taken out, which is told. */
    async function catchUp(): Promise<boolean> {
      try {
        await memory.catchUp();
        return true;
      } catch (cause) {
        trouble("The index of the memory may still hold what was taken out.", cause);
        return false;
      }
    }

    async function sizeOf(group: string | undefined, path: string): Promise<number> {
      const isGlobal = group === undefined || path === "GLOBAL.md";
      const stats = await stat(join(isGlobal ? workspace : join(home, "groups", group), path)).catch(() => undefined);
      return stats?.size ?? 0;
    }
  },
};
