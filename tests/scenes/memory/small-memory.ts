// A memory that looks at every line and every message there is, over real files and a real log.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MemoryFind, MemoryPlace } from "../../../src/contract/memory/memory-place.ts";
import type { Memory, Whose } from "../../../src/memory/memory.ts";
import { openConversationLabels } from "../../../src/memory/sources/conversation-labels.ts";
import { splitMarkdown } from "../../../src/memory/units/split-markdown.ts";
import type { Store } from "../../../src/store/open-store.ts";

export type SmallMemory = Memory & { note?: string };

type SmallDeps = {
  store: Store;
  folderOf(whose: Whose): string;
  groupOf(conversation: string): Promise<string | undefined>;
};

export function openSmallMemory(deps: SmallDeps): SmallMemory {
  const memory: SmallMemory = {
    async search(whose, query, { limit = 6 } = {}) {
      const words = query.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
      const finds = (await everything(deps, whose)).filter(({ text }) =>
        words.some((word) => text.toLowerCase().includes(word)),
      );
      const { note } = memory;
      return { finds: finds.slice(0, limit), ms: 1, ...(note !== undefined && { note }) };
    },
    async read(whose, places) {
      const all = await everything(deps, whose);
      return places.map((place) => merged(all.filter((find) => isWithin(find, place))));
    },
    status: () => Promise.reject(new Error("nobody asks for it here")),
    reindex: () => Promise.reject(new Error("nobody asks for it here")),
    warm: async () => {},
    catchUp: async () => {},
    close: async () => {},
  };
  return memory;
}

async function everything(deps: SmallDeps, whose: Whose): Promise<readonly MemoryFind[]> {
  return [...(await linesOf(deps.folderOf(whose))), ...(await messagesOf(deps, whose))];
}

async function linesOf(folder: string): Promise<readonly MemoryFind[]> {
  const names = await readdir(join(folder, "memory")).catch(() => []);
  const finds: MemoryFind[] = [];
  for (const path of ["MEMORY.md", ...names.map((name) => `memory/${name}`)]) {
    const text = await readFile(join(folder, path), "utf8").catch(() => "");
    for (const { text: own, from, to, day, labels } of splitMarkdown(path, text).units)
      finds.push({ ...plain, path, startLine: from, endLine: to, date: day, text: own, labels: [...labels] });
  }
  return finds;
}

const plain = { score: 0.5, why: ["words"], speakers: [] };

async function messagesOf({ store, groupOf }: SmallDeps, whose: Whose): Promise<readonly MemoryFind[]> {
  const labels = openConversationLabels(store.database);
  const finds: MemoryFind[] = [];
  for (const event of await store.log.since(0, 10_000)) {
    if ((event.type !== "message.received" && event.type !== "reply.written") || event.text === "") continue;
    const { conversation: sessionKey, seq, text } = event;
    if ((await groupOf(sessionKey)) !== whose.group) continue;
    finds.push({ ...plain, sessionKey, fromSeq: seq, toSeq: seq, text, labels: [...(await labels.of(event))] });
  }
  return finds;
}

function isWithin(find: MemoryFind, place: MemoryPlace): boolean {
  const isOfFile = find.path !== undefined && find.path === place.path;
  if (isOfFile) return (find.startLine ?? 0) >= (place.startLine ?? 0) && (find.endLine ?? 0) <= (place.endLine ?? 0);
  const isOfSession = find.sessionKey !== undefined && find.sessionKey === place.sessionKey;
  return isOfSession && (find.fromSeq ?? 0) >= (place.fromSeq ?? 0) && (find.toSeq ?? 0) <= (place.toSeq ?? 0);
}

function merged(finds: readonly MemoryFind[]): MemoryFind | undefined {
  const [first, last] = [finds[0], finds.at(-1)];
  if (!first || !last) return undefined;
  const labels = [...new Set(finds.flatMap((find) => find.labels))];
  const text = finds.map((find) => find.text).join("\n");
  return { ...first, endLine: last.endLine, toSeq: last.toSeq, text, labels };
}
