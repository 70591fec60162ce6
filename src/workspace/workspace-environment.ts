import { join } from "node:path";
import { isRefusedVariable } from "../contract/names/protected-names.ts";
import { readOwnFile } from "./own-file.ts";

export type WorkspaceEnvironment = { variables: Record<string, string>; warnings: string[] };

const maxBytes = 65_536;

/** The `.env` of the workspace: only what the environment does not have yet, and nothing that changes how programs run. */
export async function readWorkspaceEnvironment(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<WorkspaceEnvironment> {
  const found = await readOwnFile(join(path, ".env"), maxBytes);
  if (found.kind === "absent") return { variables: {}, warnings: [] };
  if (found.kind === "refused") return { variables: {}, warnings: [`.env is left out: ${found.reason}`] };
  return readVariables(new TextDecoder("utf-8").decode(found.bytes), environment);
}

function readVariables(text: string, environment: Readonly<Record<string, string | undefined>>): WorkspaceEnvironment {
  const variables = new Map<string, string>();
  const warnings: string[] = [];
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const read = readLine(line);
    if (read === undefined) continue;
    // values are never repeated in a warning: they are secrets
    if (typeof read === "string") {
      warnings.push(`.env line ${index + 1} is left out: ${read}`);
      continue;
    }
    // the agent may come to write this file, so what steers programs must come from where Steward is started
    if (isRefusedVariable(read.name)) {
      const why = "changes how programs run or where they connect; set it where Steward is started";
      warnings.push(`.env line ${index + 1} is left out: ${read.name} ${why}`);
    } else if (!Object.hasOwn(environment, read.name)) variables.set(read.name, read.value);
  }
  return { variables: Object.fromEntries(variables), warnings };
}

/** A variable, nothing for an empty line, or what is wrong with the line. */
function readLine(line: string): { name: string; value: string } | string | undefined {
  const trimmed = line.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  const parts = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(trimmed);
  if (!parts) return "it is not of the form KEY=value";
  const [, name = "", written = ""] = parts;
  if (/[\0\uFFFD]/.test(written)) return `the value of ${name} is not text`;
  const value = unquote(written);
  return value === undefined ? `the quotes of ${name} are not closed` : { name, value };
}

function unquote(written: string): string | undefined {
  const quote = written[0];
  if (quote !== '"' && quote !== "'") return written.replace(/(?:^|\s)#.*$/, "").trimEnd();
  const quoted = quote === "'" ? /^'([^']*)'\s*(?:#.*)?$/ : /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/;
  const inner = quoted.exec(written)?.[1];
  if (inner === undefined || quote === "'") return inner;
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" };
  return inner.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character);
}
