import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { isSecretName } from "../../../contract/names/protected-names.ts";

const longestFile = 65_536;
const shortestWord = 8;

/** What must be masked of a file with keys: every value, and every word that is long enough to be one. */
export function secretValuesIn(path: string): readonly string[] {
  if (!isSecretName(basename(path))) return [];
  const text = readStart(path);
  const values = [...text.matchAll(/^\s*(?:export\s+)?[\w.-]+\s*[=:]\s*(.*?)\s*$/gm)].map(([, value = ""]) => value);
  const plain = values.map((value) => value.replace(/^(["'])(.*)\1$/, "$2"));
  return [...new Set([...plain, ...text.split(/[\s"'=]+/)])].filter((word) => word.length >= shortestWord);
}

function readStart(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return "";
    const bytes = Buffer.alloc(longestFile);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } catch {
    // replaced once more: whoever did that is seen as well
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
