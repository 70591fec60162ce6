// Queries come from a file, each with the folder that is searched for it as a workspace of its own; a line of JSON goes out for each.
import { lstat, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { codeOf, Failure, reasonOf } from "../../contract/failure.ts";
import type { CommandContext } from "../../contract/room/command.ts";
import type { Memory } from "../memory.ts";
import { openMemory } from "../open-memory.ts";

const Query = z.object({ id: z.string(), q: z.string().min(1), conv: z.string().regex(/^(?!\.{1,2}$)[^/\\\0]+$/) });
type Query = z.infer<typeof Query>;

// as many as whoever measures looks at
const usualLimit = 10;

export async function searchBatch(
  context: CommandContext,
  { file, folder, limit = usualLimit }: { file: string; folder: string | undefined; limit: number | undefined },
): Promise<number> {
  if (folder === undefined) throw new Failure("Say where the folders lie that conv names: --dir FOLDER");
  const queries = await readQueries(file);
  const { settings } = await context.readSettings();
  const home = await mkdtemp(join(tmpdir(), "steward-memory-"));
  try {
    for (const [conv, asked] of Map.groupBy(queries, ({ conv }) => conv)) {
      const memory = await openFolder({
        home: join(home, conv),
        workspace: resolve(folder, conv),
        settings: settings.memory,
      });
      try {
        for (const query of asked)
          context.console.output.write(`${JSON.stringify(await answer(memory, query, limit))}\n`);
      } finally {
        await memory.close();
      }
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  return 0;

  async function openFolder(place: Pick<Parameters<typeof openMemory>[0], "home" | "workspace" | "settings">) {
    // no link is followed out of the folder
    if (!(await lstat(place.workspace).catch(() => undefined))?.isDirectory())
      throw new Failure(`There is no folder ${place.workspace}, which a query names as its conv.`);
    const memory = openMemory({
      ...place,
      // whatever Markdown lies there, wherever
      settings: { ...place.settings, conversations: false, extraPaths: ["."] },
      ...{ environment: {}, storedKeys: {}, groups: async () => [], nowMs: context.world.nowMs },
      conversations: { next: async () => undefined, subscribe: () => () => {} },
      trouble: (message) => void context.console.errors.write(`${message}\n`),
    });
    // a folder that takes long to read is read whole before anything is looked for in it
    do await memory.search({}, "everything");
    while ((await memory.status({})).state === "reading");
    return memory;
  }
}

async function answer(memory: Memory, { id, q }: Query, limit: number) {
  const { finds, ms } = await memory.search({}, q, { limit });
  const results = finds.map(({ path, startLine, endLine, score }) => ({ path, startLine, endLine, score }));
  return { id, ms, results };
}

async function readQueries(file: string): Promise<readonly Query[]> {
  const text = await readFile(file, "utf8").catch((cause) => {
    const why = codeOf(cause) === "ENOENT" ? "there is no such file" : reasonOf(cause);
    throw new Failure(`${file} cannot be read: ${why}.`, { cause });
  });
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line, at) => {
      const query = Query.safeParse(parse(line));
      if (query.success) return query.data;
      const wrong = query.error.issues[0]?.path.join(".") || "it is no JSON object";
      throw new Failure(
        `Line ${at + 1} of ${file} is no query (${wrong}). Write {"id": "1", "q": "what to look for", "conv": "folder"}.`,
      );
    });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // what is no JSON is no query either, and is told as such
    return undefined;
  }
}
