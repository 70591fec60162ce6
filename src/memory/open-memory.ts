// The memory as everybody uses it. Whose it is comes in with every question; which folder and which conversations that means is settled
// here, so that nobody can ask for another's.
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Group, GroupName, mailGroupPrefix } from "../contract/channel/group.ts";
import { Failure, orIfMissing } from "../contract/failure.ts";
import type { MemorySettings } from "../contract/memory/memory-settings.ts";
import type { MemoryStatus } from "../contract/wire/methods/memory.ts";
import type { Memory, Whose } from "./memory.ts";
import type { Conversations } from "./sources/conversations.ts";
import { openMemoryThread } from "./thread/open-memory-thread.ts";
import type { KeptPlace } from "./thread/thread-messages.ts";

export type MemoryDeps = {
  home: string;
  workspace: string;
  settings: MemorySettings;
  environment: Readonly<Record<string, string | undefined>>;
  storedKeys: Readonly<Record<string, string>>;
  conversations: Conversations;
  groups(): Promise<readonly Group[]>;
  nowMs(): number;
  trouble(message: string, cause: unknown): void;
};

const unused = { state: "unused", units: 0, files: 0, conversations: 0, bytes: 0, withoutVector: 0 } as const;

export function openMemory(deps: MemoryDeps): Memory {
  const { settings } = deps;
  const isOn = settings.enabled && settings.search.enabled;
  const off = `The memory is switched off: ${settings.enabled ? "memory.search.enabled" : "memory.enabled"} is false in the settings.`;
  const indexFolder = join(deps.home, "data", "memory");
  const thread = openMemoryThread({ ...deps, indexFolder });
  return {
    async search(whose, query, { limit = settings.search.maxResults, maxTokens, signal, waitMs } = {}) {
      if (!isOn) return { finds: [], ms: 0, note: off };
      const startedMs = performance.now();
      const found = await thread.ask("search", await placeOf(whose), { query, most: limit, maxTokens, waitMs }, signal);
      return { ...found, ms: Math.round((performance.now() - startedMs) * 10) / 10 };
    },
    async read(whose, places, signal) {
      if (!isOn || places.length === 0) return places.map(() => undefined);
      return thread.ask("read", await placeOf(whose), places, signal);
    },
    async warm(whose) {
      const place = await placeOf(whose);
      const isThere = (await readdir(indexFolder).catch(orIfMissing<string[]>([]))).includes(`${place.key}.db`);
      if (isOn && isThere) await thread.ask("warm", place, undefined);
    },
    async status(whose): Promise<MemoryStatus> {
      const place = await placeOf(whose);
      const embedder = settings.embedder.provider;
      if (!isOn || !thread.isRunning()) return { enabled: isOn, ...unused, embedder };
      return { enabled: true, ...(await thread.ask("status", place, undefined)) };
    },
    async reindex(whose) {
      if (!isOn) throw new Failure(off);
      return { enabled: true, ...(await thread.ask("reindex", await placeOf(whose), undefined)) };
    },
    async catchUp() {
      const groups = await deps.groups();
      const places = await Promise.all([{}, ...groups.map(({ name: group }) => ({ group }))].map(placeOf));
      for (const file of await readdir(indexFolder).catch(orIfMissing([]))) {
        const place = places.find(({ key }) => file === `${key}.db`);
        // of a correspondence nobody knows here whether it goes on, and of a group that is no more nothing stays
        if (place) await thread.ask("catchUp", place, undefined);
        else if (!places.some(({ key }) => file.startsWith(`${key}.db-`)))
          await rm(join(indexFolder, file), { recursive: true, force: true });
      }
    },
    close: () => thread.close(),
  };

  async function placeOf({ group }: Whose): Promise<KeptPlace> {
    const { workspace, home } = deps;
    const { conversations } = settings;
    if (group === undefined) {
      const extraPaths = settings.extraPaths.map((path) => path.replace(/^~(?=\/|$)/, homedir()));
      return { key: "own", group: undefined, files: { folder: workspace, extraPaths }, conversations };
    }
    const mark = await markOf(group);
    const files = { folder: join(home, "groups", group), extraPaths: [], globalFile: join(workspace, "GLOBAL.md") };
    return { key: `group-${group}-${mark}`, group, files, conversations };
  }

  /** A name may belong to another chat by now, and what the one before it has said is not for it. */
  async function markOf(group: string): Promise<string> {
    const known = (await deps.groups()).find(({ name }) => name === group);
    if (known) return chatMark(known);
    // a correspondence is called by its address alone
    if (group.startsWith(mailGroupPrefix) && GroupName.safeParse(group).success) return "mail";
    throw new Failure(`There is no group ${group}. “steward groups” lists them.`);
  }
}

function chatMark({ channel, address }: Group): string {
  return createHash("sha256")
    .update(JSON.stringify([channel, address.chat]))
    .digest("hex")
    .slice(0, 12);
}
