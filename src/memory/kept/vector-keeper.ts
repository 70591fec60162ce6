// Which vectors an index holds and serves, and how it comes to those it lacks. When another embedder was chosen, its vectors are made
// beside the old ones, which serve until all are there.
import { createHash } from "node:crypto";
import { z } from "zod";
import { reasonOf } from "../../contract/failure.ts";
import { EmbedderSettings } from "../../contract/memory/memory-settings.ts";
import { type Embedder, EmbedderFailure } from "../embed/embedder.ts";
import {
  commitVectors,
  type Index,
  loadVectors,
  type NewVector,
  type UnitToAdd,
  writeVectors,
} from "../index/open-index.ts";
import { spoken, type Unit } from "../units/unit.ts";
import { toRow } from "../vectors/row-bytes.ts";
import type { Embedders } from "./embedders.ts";

export type VectorKeeper = {
  /** With the vectors that can be had at once. */
  withRows(units: readonly Unit[]): Promise<readonly UnitToAdd[]>;
  /** Makes the next few that are missing; false: there are none. Throws an EmbedderFailure. */
  makeNext(): Promise<boolean>;
  questionVector(query: string): Promise<Float32Array | undefined>;
  /** Whose vectors serve, and how many texts have none of the wanted embedder yet. */
  status(): { embedder: string; withoutVector: number };
};

const Served = z.object({ key: z.string(), settings: EmbedderSettings });
type Served = z.infer<typeof Served>;

const atOnce = 64;
const questionWithinMs = 5_000;

export function openVectorKeeper(index: Index, embedders: Embedders, wanted: EmbedderSettings): VectorKeeper {
  const { file } = index;
  return { withRows, makeNext, questionVector, status };

  async function withRows(units: readonly Unit[]): Promise<readonly UnitToAdd[]> {
    const isBuiltin = (served()?.settings ?? wanted).provider === "builtin";
    if (!isBuiltin) return units.map((unit) => ({ unit }));
    if (!served()) await begin();
    const { table } = await embedders.searching();
    return units.map((unit) => ({ unit, row: toRow(table.vectorOf(spoken(unit))) }));
  }

  async function makeNext(): Promise<boolean> {
    if (wanted.provider === "none") return false;
    const embedder = await begin();
    if (!embedder) return false;
    const isNext = served()?.key !== embedder.key;
    const table = isNext ? "next_vectors" : "vectors";
    const rows = await rowsFor(embedder, missing(table));
    if (rows.length === 0) {
      if (isNext) takeOver(embedder);
      return false;
    }
    file.transaction(() => writeVectors(index, table, rows));
    if (!isNext) commitVectors(index, rows);
    return true;
  }

  /** The wanted embedder; where there are no vectors yet, its own will serve. */
  async function begin(): Promise<Embedder | undefined> {
    const embedder = await embedders.of(wanted);
    if (!embedder) return undefined;
    const building = file.readFact("next vectors");
    if (!served()) serve(embedder);
    else if (served()?.key !== embedder.key && building !== embedder.key)
      file.transaction(() => {
        file.run("DELETE FROM next_vectors");
        file.writeFact("next vectors", embedder.key);
      });
    return embedder;
  }

  function takeOver(embedder: Embedder): void {
    file.transaction(() => {
      file.run("DELETE FROM vectors");
      file.run("INSERT INTO vectors (id, row) SELECT id, row FROM next_vectors");
      file.run("DELETE FROM next_vectors");
      file.run("DELETE FROM embedding_cache WHERE key <> ?", embedder.key);
      serve(embedder);
    });
    loadVectors(index);
  }

  function serve({ key }: Embedder): void {
    file.writeFact("vectors", JSON.stringify({ key, settings: wanted } satisfies Served));
  }

  function served(): Served | undefined {
    const fact = file.readFact("vectors");
    return fact === undefined ? undefined : Served.safeParse(JSON.parse(fact)).data;
  }

  function missing(table: "vectors" | "next_vectors"): readonly { id: number; text: string }[] {
    const rows = file.lists(
      `SELECT id, speaker, text FROM units WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.id = units.id) LIMIT ?`,
      atOnce,
    );
    return rows.map(([id, speaker, text]) => ({
      id: Number(id),
      text: spoken({ speaker: String(speaker), text: String(text) }),
    }));
  }

  async function rowsFor(
    embedder: Embedder,
    texts: readonly { id: number; text: string }[],
  ): Promise<readonly NewVector[]> {
    const isKept = !embedder.key.startsWith("builtin:");
    const known = new Map<number, Int8Array>();
    for (const { id, text } of isKept ? texts : []) {
      const row = file.lists(
        "SELECT row FROM embedding_cache WHERE key = ? AND hash = ?",
        embedder.key,
        hashOf(text),
      )[0]?.[0];
      if (row instanceof Uint8Array) known.set(id, new Int8Array(row.buffer, row.byteOffset, row.byteLength));
    }
    const unknown = texts.filter(({ id }) => !known.has(id));
    const made = unknown.length === 0 ? [] : await embedder.embed(unknown.map(({ text }) => text));
    for (const [place, { id, text }] of unknown.entries()) {
      const row = toRow(made[place] ?? new Float32Array(embedder.dimensions));
      known.set(id, row);
      if (isKept)
        file.run(
          "INSERT OR REPLACE INTO embedding_cache (key, hash, row) VALUES (?, ?, ?)",
          ...[embedder.key, hashOf(text), new Uint8Array(row.buffer)],
        );
    }
    return texts.flatMap(({ id }) => {
      const row = known.get(id);
      return row ? [{ id, row }] : [];
    });
  }

  async function questionVector(query: string): Promise<Float32Array | undefined> {
    const { settings, key } = served() ?? {};
    if (!settings || wanted.provider === "none") return undefined;
    const embedder = await embedders.of(settings);
    if (!embedder || embedder.key !== key) return undefined;
    const signal = AbortSignal.timeout(questionWithinMs);
    try {
      return (await embedder.embed([query], { kind: "query", signal }))[0];
    } catch (cause) {
      throw cause instanceof EmbedderFailure
        ? cause
        : new EmbedderFailure(`No vector came: ${reasonOf(cause)}.`, { cause });
    }
  }

  function status() {
    const now = served();
    const table = file.readFact("next vectors") !== undefined && count("next_vectors") > 0 ? "next_vectors" : "vectors";
    const withoutVector = wanted.provider === "none" ? 0 : Math.max(0, index.table.live - count(table));
    return { embedder: now ? nameOf(now.settings) : nameOf(wanted), withoutVector };
  }

  function count(table: "vectors" | "next_vectors"): number {
    return Number(file.get(`SELECT COUNT(*) AS count FROM ${table}`)?.count);
  }
}

function nameOf({ provider, model, modelPath }: EmbedderSettings): string {
  const which = provider === "openai-compatible" ? (model ?? "text-embedding-3-small") : modelPath?.split("/").at(-1);
  return which === undefined || provider === "builtin" || provider === "none" ? provider : `${provider}: ${which}`;
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest().subarray(0, 16);
}
