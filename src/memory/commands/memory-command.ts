// `steward memory`: what lasts between conversations, searched from the command line.

import { Failure } from "../../contract/failure.ts";
import { embedderWords } from "../../contract/memory/embedder-words.ts";
import type { Command, SingleCommand } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import { count, formatBytes } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

const groupOption = { form: "--group <name>", description: "the memory of that group instead of your own" };

const longestLine = 500;
const linesAround = 2;

const search: SingleCommand = {
  name: "search",
  summary: "Find what was written down or said before",
  description:
    "Finds what was written down or said before, by its words and by what it means. With --batch it needs no running Steward and touches none of your data: each folder below --dir is searched as a workspace of its own.",
  notes: `${jsonNotes("finds: {path?, startLine?, endLine?, sessionKey?, fromSeq?, date?, score, why, text, …}[], ms, note?")}\nWith --batch, a line of JSON for each query: {id, ms, results: {path, startLine, endLine, score}[]}`,
  arguments: [{ form: "[words...]", description: "what to look for" }],
  options: [
    { form: "--limit <number>", description: "so many results at most" },
    groupOption,
    { form: "--batch <file>", description: "answer every query of a file: lines of JSON with id, q and conv" },
    { form: "--dir <folder>", description: "with --batch: where the folders named by conv lie" },
    jsonOption,
  ],
  async run({ arguments: words, values, flags }, context) {
    const limit = readLimit(values.limit);
    if (values.batch !== undefined) {
      const { searchBatch } = await import("./search-batch.ts");
      return searchBatch(context, { file: values.batch, folder: values.dir, limit });
    }
    if (values.dir !== undefined)
      throw new Failure("--dir goes with --batch. Name the file of queries, too: --batch FILE");
    const query = words.join(" ").trim();
    if (query === "") throw new Failure("Say what to look for: steward memory search WORDS");
    const found = await withClient(context, (client) =>
      client.call("memory.search", { query, ...groupOf(values.group), ...(limit !== undefined && { limit }) }),
    );
    if (flags.has("json")) printJson(context.console, found);
    else context.console.output.write(foundWords(query, found));
    return 0;
  },
};

function foundWords(query: string, { finds, note, ms }: MethodResult<"memory.search">): string {
  const shown = finds.map((find) => {
    const { path, startLine, endLine, sessionKey, date, score, why } = find;
    const lines = startLine === endLine ? `:${startLine}` : `:${startLine}-${endLine}`;
    const place = path === undefined ? `conversation ${sessionKey}` : `${path}${lines}`;
    const about = [score.toFixed(2), ...(date === undefined ? [] : [date]), ...why].join(" · ");
    return `${place}  (${about})\n${aroundBest(find).map(shownLine).join("\n")}\n`;
  });
  const none = finds.length === 0 && note === undefined ? [`Nothing found about “${query}”.\n`] : [];
  return [
    ...none,
    ...shown,
    `${note === undefined ? "" : `${note}\n`}${count(finds.length, "result")} in ${ms} ms\n`,
  ].join("\n");
}

/** What fits best, and a few lines before and after it. */
function aroundBest({ text, best }: MethodResult<"memory.search">["finds"][number]): readonly string[] {
  const lines = text.split("\n");
  const first = best?.text.split("\n")[0] ?? "";
  const at = Math.max(
    0,
    lines.findIndex((line) => line.endsWith(first)),
  );
  const from = Math.max(0, at - linesAround);
  const to = Math.min(lines.length, at + linesAround + 1);
  const before = from > 0 ? [`… ${count(from, "line")} before`] : [];
  const after = to < lines.length ? [`… ${count(lines.length - to, "line")} more`] : [];
  return [...before, ...lines.slice(from, to), ...after];
}

function shownLine(line: string): string {
  return `  ${visibleLine(line, longestLine)}`;
}

const status: SingleCommand = {
  name: "status",
  summary: "What the index holds, and what is wrong with it if something is (also without a command)",
  notes: jsonNotes("enabled, state, units, files, conversations, bytes, embedder, withoutVector, trouble?"),
  options: [groupOption, jsonOption],
  async run({ flags, values }, context) {
    const found = await withClient(context, (client) => client.call("memory.status", groupOf(values.group)));
    if (flags.has("json")) printJson(context.console, found);
    else context.console.output.write(statusWords(found));
    return 0;
  },
};

const reindex: SingleCommand = {
  name: "reindex",
  summary: "Throw the index away and make it again; notes and conversations are only read",
  notes: jsonNotes("as of status"),
  options: [groupOption, jsonOption],
  async run({ flags, values }, context) {
    const found = await withClient(context, (client) => client.call("memory.reindex", groupOf(values.group)));
    if (flags.has("json")) printJson(context.console, found);
    else context.console.output.write(`The index is made again. ${statusWords(found)}`);
    return 0;
  },
};

function statusWords(status: MethodResult<"memory.status">): string {
  const { enabled, state, units, files, conversations, bytes, embedder, withoutVector, trouble } = status;
  if (!enabled) return "The memory is switched off: memory.enabled or memory.search.enabled is false.\n";
  if (state === "unused") return `The index is loaded with the first search; ${embedderWords(embedder)}.\n`;
  const what = count(units, "paragraph or message", "paragraphs and messages");
  const lines = [
    `${what} of ${count(files, "file")} and ${count(conversations, "conversation")}, ${formatBytes(bytes)}; ${embedderWords(embedder)}.`,
    ...(state === "reading" ? ["Still reading."] : []),
    ...(withoutVector > 0 ? [`${count(withoutVector, "text")} without a vector yet.`] : []),
    ...(trouble === undefined ? [] : [trouble]),
  ];
  return `${lines.join("\n")}\n`;
}

function readLimit(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 50) return limit;
  throw new Failure(`--limit ${value} is no number from 1 to 50.`);
}

function groupOf(group: string | undefined): { group?: string } {
  return group === undefined ? {} : { group };
}

/** All words of it stand under one name. */
export const memoryCommand: Command = {
  name: "memory",
  summary: "What lasts between conversations: search it, see how the index stands, make it again",
  default: "status",
  commands: [search, status, reindex],
};
