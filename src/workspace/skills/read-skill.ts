// One SKILL.md comes in; a skill goes out, or the reasons why it is none.
import { isUtf8 } from "node:buffer";
import { nearestName } from "../../contract/names/nearest-name.ts";
import { parseFrontmatter } from "../frontmatter.ts";
import { readOwnFile } from "../own-file.ts";
import { plainText } from "../plain-text.ts";
import type { Fields } from "../yaml-fields.ts";
import type { FoundFile } from "./find-skills.ts";
import type { Skill, SkillProblem } from "./skill.ts";

export type ReadSkill = { skill: Skill | undefined; problems: readonly SkillProblem[] };

type Problem = Omit<SkillProblem, "file">;

/** Those of the Agent Skills format; only the first two mean something here. */
const knownKeys = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"] as const;
const maxBytes = 65_536;
const maxNameLength = 64;
const maxDescriptionLength = 1024;
const maxBodyLines = 500;

export async function readSkill(found: FoundFile): Promise<ReadSkill> {
  const { source, file, path, folderName } = found;
  const read = await readSkillText(path);
  const head = "mistake" in read ? undefined : parseFrontmatter(read.text);
  const problems: Problem[] = [];
  if ("mistake" in read) problems.push(error(read.mistake, read.next));
  else if (head && "mistake" in head) problems.push(error(head.mistake, headAdvice, head.line));
  else if (head) {
    problems.push(...checkName(head.fields, folderName), ...checkDescription(head.fields), ...checkKeys(head.fields));
    problems.push(...head.notes.map(({ note, line }) => warning(note, "Put the value in quotes.", line)));
    problems.push(...checkBody(head.body));
  }
  const isWell = head && !("mistake" in head) && problems.every(({ severity }) => severity === "warning");
  const fields = isWell ? head.fields : undefined;
  return {
    skill: fields && { name: textOf(fields, "name"), description: textOf(fields, "description"), source, file, path },
    problems: problems.map((problem) => ({ ...problem, file })),
  };
}

/** The whole file, if it is a plain one of a fitting size and holds text. */
export async function readSkillText(path: string): Promise<{ text: string } | { mistake: string; next: string }> {
  const read = await readOwnFile(path, maxBytes);
  if (read.kind === "absent") return { mistake: "it is gone", next: "" };
  if (read.kind === "refused") return { mistake: read.reason, next: refusedAdvice };
  if (!isUtf8(read.bytes) || read.bytes.includes(0))
    return { mistake: "it is not text in UTF-8", next: "Save it as UTF-8 text." };
  return { text: plainText(read.bytes) };
}

const refusedAdvice = `Put a plain file of at most ${maxBytes} bytes there; details may lie in further files beside it.`;
const headAdvice = "It begins with four lines: ---, name: <its folder>, description: <when to use it>, ---.";

function error(message: string, next: string, line?: number): Problem {
  return { severity: "error", message, next, ...(line !== undefined && { line }) };
}

function warning(message: string, next: string, line?: number): Problem {
  return { ...error(message, next, line), severity: "warning" };
}

function checkName(fields: Fields, folderName: string): Problem[] {
  const line = fields.get("name")?.line;
  const name = textOf(fields, "name");
  if (name === "") return [error("name is missing", `Add a line name: ${folderName}`, line ?? 1)];
  const advice = `Small letters, digits and single dashes, at most ${maxNameLength}, such as weekly-review.`;
  if (name.length > maxNameLength || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    return [error("its name is not a valid one", advice, line)];
  if (name === folderName) return [];
  return [error(`it is named ${name}, and its folder is not`, "Give both the same name.", line)];
}

function checkDescription(fields: Fields): Problem[] {
  const line = fields.get("description")?.line;
  const advice = "Say in a sentence what it is for and when to use it.";
  const { length } = [...textOf(fields, "description")];
  if (length === 0) return [error("description is missing", advice, line ?? 1)];
  if (length <= maxDescriptionLength) return [];
  return [error(`its description has ${length} characters; ${maxDescriptionLength} are allowed`, advice, line)];
}

function checkKeys(fields: Fields): Problem[] {
  return [...fields].flatMap(([key, { line }]) => {
    if ((knownKeys as readonly string[]).includes(key)) return [];
    const near = nearestName(key, knownKeys);
    return [warning(`${key} means nothing here`, near ? `Did you mean ${near}?` : "It can be left out.", line)];
  });
}

function checkBody(body: string): Problem[] {
  if (body === "") return [warning("it has no instructions", "Write below its head what is to be done.")];
  const lines = body.split("\n").length;
  if (lines <= maxBodyLines) return [];
  return [warning(`it has ${lines} lines, all read at once`, "Move details into further files beside it.")];
}

function textOf(fields: Fields, key: string): string {
  const value = fields.get(key)?.value;
  return typeof value === "string" ? value.trim() : "";
}
