// A process that reads all notes of a workspace into the index, and may die while it does: home and workspace are its arguments.
import { MemorySettings } from "../../../src/contract/memory/memory-settings.ts";
import { openMemory } from "../../../src/memory/open-memory.ts";

const [home = "", workspace = ""] = process.argv.slice(2);
const memory = openMemory({
  ...{ home, workspace, environment: {}, storedKeys: {}, groups: async () => [], nowMs: Date.now },
  settings: MemorySettings.parse({}),
  conversations: { next: async () => undefined, subscribe: () => () => {} },
  trouble: (message) => console.error(message),
});
do await memory.search({}, "everything");
while ((await memory.status({})).state === "reading");
await memory.close();
