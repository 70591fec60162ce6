// The walls of the house: which room may import which. The table is the diagram in ARCHITECTURE.md.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const mayImport = {
  contract: [],
  store: ["contract"],
  models: ["contract"],
  settings: ["contract"],
  workspace: ["contract"],
  code: ["contract"],
  channels: ["contract"],
  cli: ["contract"],
  guard: ["contract", "store"],
  memory: ["contract", "store"],
  tools: ["contract", "store"],
  tasks: ["contract", "store"],
  agent: ["contract", "store", "guard", "models", "tools", "code", "memory", "workspace"],
  queue: ["contract", "store", "agent"],
  gateway: ["contract", "store", "guard", "queue"],
};
const wiring = new Set(["main.ts", "assistant.ts", "rooms.ts"]);

const root = process.argv[2] ?? "src";
const importPath = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const problems = [];
let edges = 0;

for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".test.ts")) continue;
  const file = join(entry.parentPath ?? entry.path, entry.name);
  const room = roomOf(file);
  if (!room && !wiring.has(entry.name))
    problems.push(`${file}: only ${[...wiring].join(" and ")} stand outside the rooms`);
  if (room && !(room in mayImport)) problems.push(`${file}: room "${room}" is not in the table`);
  for (const [, path] of readFileSync(file, "utf8").matchAll(importPath)) {
    edges++;
    const target = roomOf(join(file, "..", path));
    if (!room || target === room) continue;
    if (!target) problems.push(`${file}: imports ${path}; only main.ts and tests may import the wiring`);
    else if (!mayImport[room]?.includes(target)) problems.push(`${file}: ${room} may not import ${target}`);
  }
}
// the page is a client: of the house it knows the nouns
const page = process.argv[3] ?? (process.argv[2] ? undefined : "web/src");
const house = relative(".", root);
for (const entry of page ? readdirSync(page, { recursive: true, withFileTypes: true }) : []) {
  if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
  const file = join(entry.parentPath ?? entry.path, entry.name);
  for (const [, path] of readFileSync(file, "utf8").matchAll(importPath)) {
    edges++;
    const target = relative(".", join(file, "..", path)).split(sep);
    if (target[0] === house && target[1] !== "contract") problems.push(`${file}: web may not import ${target[1]}`);
  }
}
// a checker that looked at nothing must not report success
if (edges === 0) problems.push(`no imports found under ${root}`);
for (const problem of problems) console.error(problem);
console.log(`walls: ${edges} imports checked, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

function roomOf(file) {
  const parts = relative(root, file).split(sep);
  return parts.length > 1 ? parts[0] : undefined;
}
