// Bytes from the web come in, text goes out; in between they are only ever touched by a process without rights.
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type LimitedEnd, runLimited } from "./run-limited.ts";

type ReadKind = "html" | "json" | "text";
type Unread = { kind: ReadKind; bytes: Uint8Array; charset: string; url: string; signal: AbortSignal };

export type ReadPage = { kind: "read"; text: string; title: string; isCut: boolean } | { kind: "failed"; why: string };

export type PageReader = ReturnType<typeof openPageReader>;

const ReaderOutput = z.object({ text: z.string(), title: z.string(), isCut: z.boolean() });

const mostAtOnce = 2;
const articleMs = 8_000;
// the last try, also on a machine that has much else to do
const plainMs = 24_000;
const maxCharacters = 1_000_000;
// JSON may write a character with six bytes
const maxOutputBytes = 8 * maxCharacters;
const heapMb = 96;
const youngHeapMb = 4;

/** Pages wait for one another, so that many of them at once do not take the memory of many. */
export function openPageReader() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return { read };

  async function read(unread: Unread): Promise<ReadPage> {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await readOnce(unread);
    } finally {
      const next = waiting.shift();
      // whoever waits takes over the place, so that nobody can slip in between
      if (next) next();
      else running--;
    }
  }
}

async function readOnce(unread: Unread): Promise<ReadPage> {
  const first = await runReader(unread, unread.kind === "html" ? "article" : unread.kind, articleMs);
  if (first.kind === "done") return outputOf(first);
  if (first.why === "stopped") return { kind: "failed", why: first.detail };
  // the search for an article needs the whole tree of the page; without it any page can be read, and JSON as plain text
  const second = await runReader(unread, unread.kind === "html" ? "page" : "text", plainMs);
  return second.kind === "done" ? outputOf(second) : { kind: "failed", why: second.detail };
}

function runReader(unread: Unread, kind: "article" | "page" | "json" | "text", timeoutMs: number): Promise<LimitedEnd> {
  const { bytes, charset, url, signal } = unread;
  const args = [kind, charset, url, String(maxCharacters), String(bytes.length)];
  const program = process.execPath;
  return runLimited({ program, args: [...readerFlags(), ...args], input: bytes, timeoutMs, maxOutputBytes, signal });
}

function outputOf(end: LimitedEnd & { kind: "done" }): ReadPage {
  return { kind: "read", ...ReaderOutput.parse(JSON.parse(end.output.toString("utf8"))) };
}

/** It may read its own code and nothing else: no other file, no network, no program. */
function readerFlags(): readonly string[] {
  const entry = fileURLToPath(new URL("./reader/page-reader.ts", import.meta.url));
  const parser = createRequire(import.meta.url).resolve("linkedom");
  const packages = parser.slice(0, parser.lastIndexOf(`${sep}node_modules${sep}`));
  const readable = [dirname(entry), join(packages, "node_modules"), join(packages, "package.json")];
  return [
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${youngHeapMb}`,
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    entry,
  ];
}
