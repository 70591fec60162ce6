// Comes in: the Steward folder and the environment. Goes out: settings that are whole and valid, or one clear Failure.
import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../contract/failure.ts";
import { Settings } from "../contract/settings.ts";
import { findJsonMistake } from "./json-mistake.ts";
import { readSettingOverrides } from "./setting-overrides.ts";
import { describeProblems } from "./setting-problems.ts";

export type SettingsDeps = { home: string; environment: Readonly<Record<string, string | undefined>> };
export type ReadSettings = { settings: Settings; path: string; created: boolean; warnings: string[] };

/** Reads config.json, which is created with all defaults on the first run and never rewritten once it exists. */
export async function readSettings(deps: SettingsDeps): Promise<ReadSettings> {
  const path = join(deps.home, "config.json");
  const warnings = await prepareHome(deps.home);
  const created = await createWhenMissing(path);
  const written = parseSettingsText(path, await readText(path));
  const overrides = readSettingOverrides(deps.environment);
  const problems = [
    ...describeProblems(Settings.safeParse(written), { raw: written, source: () => path }),
    ...overrides.problems,
  ];
  if (problems.length > 0) throw new Failure(formatProblems(path, problems));
  const merged = overrides.applyTo(written);
  const settings = Settings.safeParse(merged);
  // both halves are valid here, so only a rule between two keys can still fail
  if (!settings.success)
    throw new Failure(formatProblems(path, describeProblems(settings, { raw: merged, source: () => path })));
  return { settings: settings.data, path, created, warnings: [...warnings, ...overrides.warnings] };
}

async function prepareHome(home: string): Promise<string[]> {
  try {
    const made = await mkdir(home, { recursive: true, mode: 0o700 });
    // mkdir's mode is narrowed by the umask only, but parents made on the way need it as well
    if (made !== undefined) await chmod(home, 0o700);
    const mode = (await stat(home)).mode & 0o077;
    return mode === 0 || process.platform === "win32"
      ? []
      : [`${home} can be opened by other users of this machine; close it with: chmod 700 ${home}`];
  } catch (cause) {
    throw new Failure(`The folder ${home} cannot be made: ${reasonOf(cause)}. Set STEWARD_HOME to a folder that can.`, {
      cause,
    });
  }
}

async function createWhenMissing(path: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await stat(path);
    return false;
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw new Failure(`${path} cannot be opened: ${reasonOf(cause)}.`, { cause });
  }
  try {
    await writeFile(temporary, `${JSON.stringify(Settings.parse({}), null, 2)}\n`, { flag: "wx", mode: 0o600 });
    return await moveIntoPlace(temporary, path);
  } catch (cause) {
    throw new Failure(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  } finally {
    await rm(temporary, { force: true });
  }
}

// a link, unlike a rename, never replaces a file that someone else made in the meantime
async function moveIntoPlace(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    // some file systems have no hard links
    await rename(temporary, path);
    return true;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (cause) {
    throw new Failure(`${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
}

/** The content of the file, or a Failure that says in which line the mistake is. */
export function parseSettingsText(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const mistake = findJsonMistake(text);
    const place = mistake ? ` at line ${mistake.line}, column ${mistake.column}: ${mistake.message}` : "";
    throw new Failure(`${path} is not valid JSON${place}. Mend it there, or remove the file to start from defaults.`, {
      cause,
    });
  }
}

function formatProblems(path: string, problems: readonly string[]): string {
  const [only] = problems;
  if (problems.length === 1) return `The settings are not usable. ${only}`;
  return [`The settings are not usable; ${path} and the environment have ${problems.length} problems:`]
    .concat(problems.map((problem) => `  - ${problem}`))
    .join("\n");
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
