// A memory of its own over real files, a real log and the real thread.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { MemorySettings } from "../../src/contract/memory/memory-settings.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { openMemory } from "../../src/memory/open-memory.ts";
import { openConversations } from "../../src/memory/sources/conversations.ts";
import { openChannelLedger } from "../../src/store/channels/ledger.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type MemoryScene = {
  home: string;
  workspace: string;
  store: Store;
  memory: Memory;
  troubles: string[];
  /** Below the workspace. */
  write(path: string, text: string): Promise<void>;
  /** As the next start finds it. */
  reopen(settings?: Record<string, unknown>): Memory;
};

export async function memoryScene(
  files: Readonly<Record<string, string>> = {},
  settings: Record<string, unknown> = {},
  home?: string,
): Promise<MemoryScene> {
  return sceneIn(home ?? (await temporaryFolder()), files, settings);
}

async function sceneIn(
  home: string,
  files: Readonly<Record<string, string>>,
  settings: Record<string, unknown>,
): Promise<MemoryScene> {
  const workspace = join(home, "workspace");
  const troubles: string[] = [];
  const store = await openStore({
    home,
    nowMs: Date.now,
    redact: (text) => text,
    onTrouble: (text) => troubles.push(text),
  });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  };
  await mkdir(workspace, { recursive: true });
  for (const [path, text] of Object.entries(files)) await write(path, text);
  const opened: Memory[] = [];
  const open = (own: Record<string, unknown>) => {
    const memory = openMemory({
      ...{ home, workspace, environment: {}, storedKeys: {}, nowMs: Date.now },
      settings: MemorySettings.parse(own),
      conversations: openConversations({
        database: store.database,
        log: store.log,
        groupOf: async (conversation) => (await ledger.groupOf(conversation))?.name,
        ...{ timeZone: "UTC", agentName: "Steward" },
      }),
      groups: () => ledger.groups(),
      trouble: (message) => troubles.push(message),
    });
    opened.push(memory);
    return memory;
  };
  const ledger = openChannelLedger(store);
  onTestFinished(async () => {
    for (const memory of opened) await memory.close();
    await store.close();
  });
  return { home, workspace, store, memory: open(settings), troubles, write, reopen: (own = settings) => open(own) };
}
