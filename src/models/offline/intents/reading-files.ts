import { count } from "../../../contract/words/amounts.ts";
import { call, type Exchange, type Intent, type Step, type Words } from "../intent.ts";
import { bullets, fenced, tell } from "../wording.ts";
import { notesOf, stripNumbers } from "./file-lines.ts";
import { readFolder, readPath } from "./file-path.ts";

export const readingFiles: readonly Intent[] = [
  {
    task: "Listing files",
    tools: ["list"],
    example: "list files in memory",
    patterns: [
      /^(?:list|show(?: me)?|give me)(?: all)?(?: of)?(?: the| my| your)? (?:files|folders|documents)(?: and folders)?(?: (?:in|of|under|inside) (?<folder>\S.*?))?[\s.?!]*$/i,
      /^list (?:the |my |your )?(?:folder|directory|workspace)(?: (?<folder>\S+?))?[\s.?!]*$/i,
      /^(?:what|which) files (?:are(?: there)?|do (?:you|i|we) have|can you see|exist)(?: (?:in|under|inside) (?<folder>\S.*?))?[\s?!]*$/i,
      /^what(?:'s|’s| is) (?:in|inside) (?:the |my |your |this )?(?:folder|directory|workspace)(?: (?<folder>\S+?))?[\s?!]*$/i,
      /^what(?:'s|’s| is) (?:in|inside) (?:the |my |your )?(?<folder>\S+) (?:folder|directory)[\s?!]*$/i,
      /^(?:ls|dir)(?: (?<folder>[^-\s]\S*))?$/i,
    ],
    next: (words, done) => {
      const path = readFolder(words.folder);
      const [listed] = done;
      return listed ? tell(listed, (output) => formatListing(path, output)) : call("list", { path });
    },
  },
  {
    task: "Reading a file",
    tools: ["read"],
    example: "read lines 1 to 20 of AGENTS.md",
    patterns: [
      /^(?:read|show(?: me)?|print)\s+(?:the\s+)?lines?\s+(?<from>\d{1,9})(?:\s*(?:to|-|–|until|through)\s*(?<to>\d{1,9}))?\s+(?:of|from|in)\s+(?:the\s+|my\s+)?(?<file>file\s+)?(?<path>\S.*)$/i,
    ],
    next: (words, done) => {
      const from = Number(words.from);
      const limit = Math.max(1, Number(words.to ?? words.from) - from + 1);
      return from > 0 ? readFile(words, done, { offset: from, limit }) : undefined;
    },
  },
  {
    task: "Reading a file",
    tools: ["read"],
    example: "read MEMORY.md",
    patterns: [
      /^(?:read|show(?: me)?|open|print|display|cat|view)\s+(?:(?:the|my|your)\s+)?(?:contents?\s+of\s+)?(?:(?:the|my|your)\s+)?(?<file>file\s+)?(?<path>\S.*)$/i,
      /^what(?:'s|’s| is)\s+(?:written\s+)?in\s+(?:(?:the|my|your)\s+)?(?<file>file\s+)?(?<path>\S.*?)[\s?]*$/i,
      /^what\s+does\s+(?:(?:the|my|your)\s+)?(?<file>file\s+)?(?<path>\S.*?)\s+(?:say|contain|hold)[\s?]*$/i,
    ],
    next: (words, done) => readFile(words, done, {}),
  },
];

function readFile(words: Words, done: readonly Exchange[], range: Record<string, number>): Step | undefined {
  const path = readPath(words.path, words.file !== undefined);
  if (path === undefined) return undefined;
  const [read] = done;
  return read ? tell(read, (output) => formatFile(path, output)) : call("read", { path, ...range });
}

function formatFile(path: string, output: string): string {
  const lines = stripNumbers(output);
  // no numbered line: an empty file, an image or the like, which the tool tells in words
  if (lines.length === 0) return output;
  return [`${path}:`, fenced(lines.join("\n")), notesOf(output)].filter((part) => part !== "").join("\n");
}

function formatListing(path: string, output: string): string {
  const rows = output.split("\n").map((line) => line.split("\t"));
  if (rows.every((row) => row.length < 4)) return output;
  const entries = rows.map(([kind = "", size = "", , name], index) => {
    if (name === undefined) return output.split("\n")[index] ?? "";
    return kind === "file" ? `${name} (${count(Number(size), "byte")})` : `${name} (${kind})`;
  });
  return `${path === "." ? "In the workspace" : `In ${path}`}:\n${bullets(entries)}`;
}
