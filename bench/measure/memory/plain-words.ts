// What everybody has without a memory of their own: SQLite's FTS5 by itself, any word of the question, those that say little left out.
import { DatabaseSync } from "node:sqlite";
import { tellingWords } from "../../../src/memory/text/words.ts";
import type { Result } from "./judged.ts";

export type PlainWords<Entry> = Disposable & {
  /** Best first. */
  search(query: string, most: number): readonly Entry[];
};

export function openPlainWords<Entry>(
  path: string,
  entries: Iterable<{ text: string; entry: Entry }>,
): PlainWords<Entry> {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec("CREATE VIRTUAL TABLE entries USING fts5(words, tokenize = 'porter unicode61')");
  const kept: Entry[] = [];
  const insert = database.prepare("INSERT INTO entries (rowid, words) VALUES (?, ?)");
  database.exec("BEGIN");
  for (const { text, entry } of entries) insert.run(kept.push(entry), text);
  database.exec("COMMIT");
  const select = database.prepare("SELECT rowid FROM entries WHERE entries MATCH ? ORDER BY rank LIMIT ?");
  return {
    search(query, most) {
      const words = tellingWords(query).map((word) => `"${word}"`);
      if (words.length === 0) return [];
      return select.all(words.join(" OR "), most).flatMap(({ rowid }) => kept[Number(rowid) - 1] ?? []);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

const chunkCharacters = 400 * 4;
const overlapCharacters = 80 * 4;

/** Whole lines up to 400 tokens, of which each chunk repeats the last 80 of the one before it. */
export function* chunksOf(files: ReadonlyMap<string, readonly string[]>): Iterable<{ text: string; entry: Result }> {
  for (const [path, lines] of files) {
    let from = 0;
    for (let to = 1; to <= lines.length; to++) {
      const isEnd = to === lines.length;
      if (!isEnd && lengthOf(lines, from, to + 1) <= chunkCharacters) continue;
      yield { text: lines.slice(from, to).join("\n"), entry: { path, startLine: from + 1, endLine: to } };
      if (isEnd) break;
      const before = from;
      for (from = to; from - 1 > before && lengthOf(lines, from - 1, to) <= overlapCharacters; ) from--;
    }
  }
}

function lengthOf(lines: readonly string[], from: number, to: number): number {
  return lines.slice(from, to).reduce((sum, line) => sum + line.length + 1, -1);
}
