// A process of its own, without rights and with little memory: the bytes of a page come in by standard input, its text goes
// out as JSON. Whatever a page does to its reader, it does it here.
import { readSync } from "node:fs";
import { decodeBytes } from "./decode-bytes.ts";
import { tidyText } from "./tidy-text.ts";

const longestTitle = 300;
const [kind = "text", charset = "", url = "", maxCharacters = "0", inputBytes = "0"] = process.argv.slice(2);

// a mistake in how it is started must not hand a stranger's page to a process that could do harm
if (hasRights()) throw new Error("the page reader was started with rights that it must not have");
const read = await readBytes(readInput(Number(inputBytes)), Number(maxCharacters));
process.stdout.write(JSON.stringify(read));

function hasRights(): boolean {
  const { permission } = process;
  return !permission || ["fs.write", "net", "child", "worker", "addons", "wasi"].some((right) => permission.has(right));
}

// straight into the one place where the bytes stay: a stream would hold them two or three times
function readInput(length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  let at = 0;
  while (at < length) {
    const count = readSync(0, bytes, at, length - at, null);
    if (count === 0) throw new Error("the input ended early");
    at += count;
  }
  return bytes;
}

async function readBytes(bytes: Uint8Array, most: number): Promise<{ text: string; title: string; isCut: boolean }> {
  const isHtml = kind === "article" || kind === "page";
  const source = decodeBytes(bytes, { charset, isHtml });
  const read = isHtml ? await readPage(source, most) : cut(kind === "json" ? prettyJson(source) : source, most);
  return {
    ...read,
    text: tidyText(read.text),
    title: tidyText(read.title).replace(/\s+/g, " ").slice(0, longestTitle),
  };
}

async function readPage(html: string, most: number) {
  // only pages need the parser, which takes longer to load than anything else here
  const { readHtml } = await import("./read-html.ts");
  return readHtml(html, { url, wantsArticle: kind === "article", maxCharacters: most });
}

function prettyJson(source: string): string {
  try {
    return JSON.stringify(JSON.parse(source), undefined, 2);
  } catch {
    // not JSON after all, or nested too deep to be made pretty: it is shown as it came
    return source;
  }
}

function cut(text: string, most: number): { text: string; title: string; isCut: boolean } {
  return { text: text.slice(0, most), title: "", isCut: text.length > most };
}
