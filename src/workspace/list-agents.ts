import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { nearestName } from "../contract/names/nearest-name.ts";
import { parseFrontmatter } from "./frontmatter.ts";
import { readOwnFile } from "./own-file.ts";
import { plainText } from "./plain-text.ts";

export type Agent = {
  id: string;
  name: string;
  description: string;
  model?: string | undefined;
  /** The tools it may use; undefined: all of them. */
  tools?: readonly string[] | undefined;
  instructions: string;
};
export type ListedAgents = { agents: readonly Agent[]; warnings: readonly string[] };

const maxBytes = 80_000;
const maxAgents = 100;
const fieldNames = ["name", "description", "model", "tools"] as const;

const Fields = z.object({
  name: z.string().min(1).max(40).optional(),
  description: z.string({ error: "description is missing: say in a sentence what the agent is for" }).min(1).max(500),
  model: z
    .string()
    .regex(/^[a-z0-9-]+\/.+$/, "model must be provider/model")
    .optional(),
  tools: z
    .union([z.string(), z.array(z.string())])
    .transform((names) =>
      (typeof names === "string" ? names.split(",") : names).map((tool) => tool.trim()).filter((tool) => tool !== ""),
    )
    .pipe(z.array(z.string().regex(/^[A-Za-z0-9_.-]+$/, "tools must be names with commas between them")))
    .optional(),
});

export function mainAgent(name: string): Agent {
  return { id: "main", name, description: "The assistant itself.", instructions: "" };
}

/** The main agent, and one for each valid `agents/<id>.md`; the others are told in the warnings. */
export async function listAgents(deps: { path: string; mainName: string }): Promise<ListedAgents> {
  const agents = [mainAgent(deps.mainName)];
  const warnings: string[] = [];
  for (const file of await listFiles(join(deps.path, "agents"))) {
    const read = await readAgent(join(deps.path, "agents", file), file.slice(0, -".md".length));
    if ("mistake" in read) warnings.push(`agents/${file} is left out: ${read.mistake}`);
    else {
      agents.push(read.agent);
      warnings.push(...read.notes.map((note) => `agents/${file}: ${note}`));
    }
  }
  return { agents, warnings };
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    // a link in the folder's place may lead out of the workspace
    if (!(await lstat(folder)).isDirectory()) return [];
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory() && entry.name.endsWith(".md")).map((one) => one.name);
    return names.sort().slice(0, maxAgents);
  } catch {
    // no agents folder, or none that can be read: there is only the main agent
    return [];
  }
}

async function readAgent(path: string, id: string): Promise<{ agent: Agent; notes: string[] } | { mistake: string }> {
  if (id === "main") return { mistake: "main is the assistant itself; its instructions are in AGENTS.md" };
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))
    return { mistake: "its name may hold small letters, digits and dashes only, 40 at most" };
  const found = await readOwnFile(path, maxBytes);
  if (found.kind === "absent") return { mistake: "it is gone" };
  if (found.kind === "refused") return { mistake: found.reason };
  const head = parseFrontmatter(plainText(found.bytes));
  if ("mistake" in head) return head;
  const fields = Fields.safeParse(Object.fromEntries([...head.fields].map(([key, { value }]) => [key, value])));
  if (!fields.success) return { mistake: fields.error.issues.map(describeIssue).join("; ") };
  return {
    agent: { id, ...fields.data, name: fields.data.name ?? id, instructions: head.body },
    notes: [...head.fields.keys()].flatMap(noteUnknownField),
  };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const key = String(issue.path[0] ?? "");
  return issue.message.startsWith(key) ? issue.message : `${key}: ${issue.message}`;
}

function noteUnknownField(key: string): string[] {
  if ((fieldNames as readonly string[]).includes(key)) return [];
  const near = nearestName(key, fieldNames);
  return [`${key} is not used${near ? `; did you mean ${near}?` : ""}`];
}
