// Which vectors an index holds and serves, and how it comes to those it lacks. When another embedder was chosen, its vectors are made
// beside the old ones, which serve until all are there.
import { z } from "zod";
import { EmbedderSettings } from "../../contract/memory/memory-settings.ts";
import { type Embedder, EmbedderFailure } from "../embed/embedder.ts";
import { commitVectors, type Index, loadVectors, type UnitToAdd, writeVectors } from "../index/open-index.ts";
import { spoken, type Unit } from "../units/unit.ts";
import { readRow, toRow } from "../vectors/row-bytes.ts";
import type { Embedders } from "./embedders.ts";
import { hashOfText } from "./hash-of-text.ts";

/** Does what reads and changes the index, when nobody else does. */
export type InTurn = <Result>(work: () => Result) => Promise<Result>;

export type VectorKeeper = {
  /** With the vectors that can be had at once. */
  withRows(units: readonly Unit[]): Promise<readonly UnitToAdd[]>;
  /** Whether there may be texts without a vector of the wanted embedder. */
  isBehind(): boolean;
  /** Makes the next few that are missing; false: there are none. Throws an EmbedderFailure. */
  makeNext(inTurn: InTurn): Promise<boolean>;
  /** Undefined: there are no vectors to compare with. Throws an EmbedderFailure, also when none came in time. */
  questionVector(query: string, withinMs: number): Promise<Float32Array | undefined>;
  /** Whose vectors serve, and how many texts have none of the wanted embedder yet. */
  status(): { embedder: string; withoutVector: number };
};

const Served = z.object({ key: z.string(), settings: EmbedderSettings });
type Served = z.infer<typeof Served>;

type Missing = { id: number; text: string };
type Table = "vectors" | "next_vectors";

const builtinSettings = EmbedderSettings.parse({ provider: "builtin" });
const atOnce = 64;

export function openVectorKeeper(index: Index, embedders: Embedders, wanted: EmbedderSettings): VectorKeeper {
  const { file } = index;
  let mayMiss = wanted.provider !== "none";
  return { withRows, isBehind: () => mayMiss, makeNext, questionVector, status };

  async function withRows(units: readonly Unit[]): Promise<readonly UnitToAdd[]> {
    // until there are others, those that can be had at once serve
    if (!served() && wanted.provider !== "none") serve(await builtin(), builtinSettings);
    const isBuiltin = served()?.settings.provider === "builtin" && wanted.provider !== "none";
    mayMiss ||= wanted.provider !== "none" && (!isBuiltin || wanted.provider !== "builtin");
    if (!isBuiltin) return units.map((unit) => ({ unit }));
    const { table } = await embedders.searching();
    return units.map((unit) => ({ unit, row: toRow(table.vectorOf(spoken(unit))) }));
  }

  async function builtin(): Promise<Embedder> {
    const embedder = await embedders.of(builtinSettings);
    if (!embedder) throw new EmbedderFailure("There is no built-in embedder.");
    return embedder;
  }

  async function makeNext(inTurn: InTurn): Promise<boolean> {
    if (wanted.provider === "none") return false;
    const embedder = await embedders.of(wanted);
    if (!embedder) return false;
    const { table, missing, known } = await inTurn(() => whatIsMissing(embedder));
    const unknown = missing.filter(({ id }) => !known.has(id));
    // it may take long, and nobody who searches waits for it
    const made = unknown.length === 0 ? [] : await embedder.embed(unknown.map(({ text }) => text));
    for (const [place, { id }] of unknown.entries())
      known.set(id, toRow(made[place] ?? new Float32Array(embedder.dimensions)));
    return inTurn(() => keep(embedder, table, { missing, known, isNew: new Set(unknown) }));
  }

  function whatIsMissing(embedder: Embedder) {
    begin(embedder);
    const table: Table = served()?.key === embedder.key ? "vectors" : "next_vectors";
    const isComplete = table === "vectors" && index.table.live === (index.vectors?.count ?? 0);
    const missing = isComplete ? [] : missingIn(table);
    const known = new Map<number, Int8Array>();
    for (const { id, text } of isCached(embedder) ? missing : []) {
      const [row] = file.lists(
        "SELECT row FROM embedding_cache WHERE key = ? AND hash = ?",
        ...[embedder.key, hashOfText(text)],
      );
      const bytes = readRow(row?.[0]);
      if (bytes) known.set(id, bytes);
    }
    return { table, missing, known };
  }

  function keep(
    embedder: Embedder,
    table: Table,
    {
      missing,
      known,
      isNew,
    }: { missing: readonly Missing[]; known: Map<number, Int8Array>; isNew: ReadonlySet<Missing> },
  ): boolean {
    if (missing.length === 0) {
      if (table === "next_vectors") takeOver(embedder);
      mayMiss = false;
      return false;
    }
    // a number may belong to another text by now
    const there = missing.filter(({ id, text }) => textOf(id) === text);
    const rows = there.flatMap(({ id }) => ({ id, row: known.get(id) ?? new Int8Array(embedder.dimensions) }));
    file.transaction(() => {
      writeVectors(index, table, rows);
      for (const one of isCached(embedder) ? there : [])
        if (isNew.has(one)) cache(embedder, one.text, known.get(one.id));
    });
    if (table === "vectors") commitVectors(index, rows);
    return true;
  }

  function cache({ key }: Embedder, text: string, row: Int8Array | undefined): void {
    if (row)
      file.run(
        "INSERT OR REPLACE INTO embedding_cache (key, hash, row) VALUES (?, ?, ?)",
        ...[key, hashOfText(text), new Uint8Array(row.buffer, row.byteOffset, row.byteLength)],
      );
  }

  function begin(embedder: Embedder): void {
    const building = file.readFact("next vectors");
    if (!served()) {
      // nobody knows whose these are
      file.run("DELETE FROM vectors");
      serve(embedder, wanted);
      loadVectors(index);
    } else if (served()?.key === embedder.key && building !== undefined && building !== "") {
      file.transaction(() => {
        file.run("DELETE FROM next_vectors");
        file.writeFact("next vectors", "");
      });
    } else if (served()?.key !== embedder.key && building !== embedder.key)
      file.transaction(() => {
        file.run("DELETE FROM next_vectors");
        file.writeFact("next vectors", embedder.key);
      });
  }

  function takeOver(embedder: Embedder): void {
    file.transaction(() => {
      file.run("DELETE FROM vectors");
      file.run("INSERT INTO vectors (id, row) SELECT id, row FROM next_vectors");
      file.run("DELETE FROM next_vectors");
      file.run("DELETE FROM embedding_cache WHERE key <> ?", embedder.key);
      serve(embedder, wanted);
    });
    loadVectors(index);
  }

  function serve({ key }: Embedder, settings: EmbedderSettings): void {
    file.writeFact("vectors", JSON.stringify({ key, settings } satisfies Served));
  }

  function served(): Served | undefined {
    const fact = file.readFact("vectors");
    return fact === undefined ? undefined : Served.safeParse(JSON.parse(fact)).data;
  }

  function missingIn(table: Table): readonly Missing[] {
    const rows = file.lists(
      `SELECT id, speaker, text FROM units WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = units.id) LIMIT ?`,
      atOnce,
    );
    return rows.map(([id, speaker, text]) => ({ id: Number(id), text: wordsOf(speaker, text) }));
  }

  function textOf(id: number): string | undefined {
    const [row] = file.lists("SELECT speaker, text FROM units WHERE id = ?", id);
    return row && wordsOf(row[0], row[1]);
  }

  async function questionVector(query: string, withinMs: number): Promise<Float32Array | undefined> {
    const { settings, key } = served() ?? {};
    if (!settings || wanted.provider === "none") return undefined;
    const late = AbortSignal.timeout(withinMs);
    const vector = embedders.of(settings).then(async (embedder) => {
      if (!embedder || embedder.key !== key) return undefined;
      return (await embedder.embed([query], { kind: "query", signal: late }))[0];
    });
    try {
      return await Promise.race([vector, whenAborted(late)]);
    } catch (cause) {
      if (cause instanceof EmbedderFailure) throw cause;
      throw new EmbedderFailure(`${nameOf(settings)} did not answer in time.`, { cause });
    } finally {
      // what comes too late, or fails then, is told to the next one who asks
      vector.catch(() => undefined);
    }
  }

  function status() {
    const now = served()?.settings ?? wanted;
    const table = JSON.stringify(now) === JSON.stringify(wanted) ? "vectors" : "next_vectors";
    const withoutVector = wanted.provider === "none" ? 0 : Math.max(0, index.table.live - count(table));
    return { embedder: nameOf(now), withoutVector };
  }

  function count(table: "vectors" | "next_vectors"): number {
    return Number(file.get(`SELECT COUNT(*) AS count FROM ${table}`)?.count);
  }
}

function nameOf({ provider, model, modelPath }: EmbedderSettings): string {
  const which = provider === "openai-compatible" ? (model ?? "text-embedding-3-small") : modelPath?.split("/").at(-1);
  return which === undefined || provider === "builtin" || provider === "none" ? provider : `${provider}: ${which}`;
}

function wordsOf(speaker: unknown, text: unknown): string {
  return spoken({ speaker: String(speaker), text: String(text) });
}

/** The built-in one is quicker than a look into the file. */
function isCached({ key }: Embedder): boolean {
  return !key.startsWith("builtin:");
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
