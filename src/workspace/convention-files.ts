import { join } from "node:path";
import { type OwnFile, openOwnFile, readBytes, versionAt } from "./own-file.ts";
import { plainText } from "./plain-text.ts";

/** In the order of the prompt: what changes most often last, so that the provider's cache keeps the rest. */
export const conventionNames = [
  "AGENTS.md",
  "SOUL.md",
  "IDENTITY.md",
  "USER.md",
  "TOOLS.md",
  "HEARTBEAT.md",
  "MEMORY.md",
] as const;

export type ConventionFile = { name: string; text: string };
export type LoadedFiles = { files: readonly ConventionFile[]; warnings: readonly string[] };

const maxCharacters = 20_000;
const headCharacters = maxCharacters * 0.7;
const tailCharacters = maxCharacters * 0.2;
// up to this size a file is read whole and what is left out is counted exactly
const maxWholeBytes = 1_048_576;
const maxBytesPerCharacter = 4;

/** Looks at the files on each call and reads those that have changed. */
export function openConventionFiles(
  folder: string,
  names: readonly string[] = conventionNames,
): () => Promise<LoadedFiles> {
  const cache = new Map<string, { version: string; text: string }>();
  return async () => {
    const files: ConventionFile[] = [];
    const warnings: string[] = [];
    for (const name of names) {
      const path = join(folder, name);
      const cached = cache.get(name);
      if (cached && cached.version === versionAt(path)) {
        files.push({ name, text: cached.text });
        continue;
      }
      const found = await openOwnFile(path);
      if (found.kind === "refused") warnings.push(`${name} is left out of the prompt: ${found.reason}`);
      if (found.kind !== "open") continue;
      await using _held = found.handle;
      const text = await readCapped(name, found);
      cache.set(name, { version: found.version, text });
      files.push({ name, text });
    }
    return { files, warnings };
  };
}

async function readCapped(name: string, found: Extract<OwnFile, { kind: "open" }>): Promise<string> {
  const { handle, sizeBytes } = found;
  if (sizeBytes <= maxWholeBytes) {
    const text = plainText(await readBytes(handle, 0, sizeBytes));
    if (text.length <= maxCharacters) return text;
    const leftOut = text.length - headCharacters - tailCharacters;
    return joinEnds(name, text, text, leftOut.toLocaleString("en"));
  }
  const headBytes = headCharacters * maxBytesPerCharacter;
  const tailBytes = tailCharacters * maxBytesPerCharacter;
  const head = plainText(await readBytes(handle, 0, headBytes));
  const tail = plainText(await readBytes(handle, sizeBytes - tailBytes, tailBytes));
  const leftOut = sizeBytes - headCharacters - tailCharacters;
  return joinEnds(name, head, tail, `about ${leftOut.toLocaleString("en")}`);
}

function joinEnds(name: string, head: string, tail: string, leftOut: string): string {
  // a pair of surrogates cut in two would be an invalid character on the wire
  const start = head.slice(0, headCharacters).replace(/[\uD800-\uDBFF]$/, "");
  const end = tail.slice(-tailCharacters).replace(/^[\uDC00-\uDFFF]/, "");
  return `${start}\n[… ${leftOut} characters of ${name} are left out here; read the file to see them …]\n${end}`;
}
