// Who may import whom, how large each room is, and that ARCHITECTURE.md draws it so. `--write` draws the picture anew.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

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
// what is left of the core without these can be read in an evening
const leaves = [
  ...["tools", "cli", "workspace", "channels", "memory", "code", "tasks", "guard/shell", "guard/redaction"],
  ...["guard/address", "models/offline", "store/daily-log", "settings/docs"],
  ...["gateway/http", "gateway/rest", "gateway/websocket", "gateway/push", "gateway/access"],
  ...[
    "contract/diff",
    "contract/memory",
    "settings/commands",
    "contract/wire",
    "contract/task",
    "store/tasks",
    "contract/channel",
    "store/channels",
    "store/search",
    "store/doctor",
  ],
];
const maxCoreLines = 15_000;
const maxFilesInFolder = 15;
const pictureFile = "ARCHITECTURE.md";

const arguments_ = process.argv.slice(2).filter((argument) => argument !== "--write");
const isWhole = arguments_.length === 0;
const [root = "src", page = isWhole ? "web/src" : undefined] = arguments_;
const importPath = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const problems = [];
const seen = new Set();
const lines = new Map();
let edges = 0;

for (const file of sourcesIn(root)) {
  const text = readFileSync(file, "utf8");
  const room = roomOf(file);
  const place = relative(root, file).split(sep).join("/");
  count(leaves.find((leaf) => place.startsWith(`${leaf}/`)) ?? room ?? "wiring", text);
  if (!room && !wiring.has(place)) problems.push(`${file}: only ${[...wiring].join(" and ")} stand outside the rooms`);
  if (room && !(room in mayImport)) problems.push(`${file}: room "${room}" is not in the table`);
  for (const [, path] of text.matchAll(importPath)) {
    edges++;
    const target = roomOf(join(file, "..", path));
    if (place === "rooms.ts" && !/-rooms?\.ts$/.test(path))
      problems.push(`${file}: imports ${path}; the list knows the entries of rooms only`);
    if (!room || target === room) continue;
    if (!target) problems.push(`${file}: imports ${path}; only main.ts and tests may import the wiring`);
    else if (!mayImport[room]?.includes(target)) problems.push(`${file}: ${room} may not import ${target}`);
    else seen.add(`${room} --> ${target}`);
  }
}
// the page is a client: of the program it knows the nouns
for (const file of page ? sourcesIn(page) : []) {
  for (const [, path] of readFileSync(file, "utf8").matchAll(importPath)) {
    edges++;
    const target = relative(".", join(file, "..", path)).split(sep);
    if (target[0] === relative(".", root) && target[1] !== "contract")
      problems.push(`${file}: web may not import ${target[1]}`);
  }
}
for (const [folder, files] of Object.entries(
  Object.groupBy([...sourcesIn(root), ...(page ? sourcesIn(page) : [])], dirname),
))
  if (files.length > maxFilesInFolder)
    problems.push(`${folder}: ${files.length} files are more than the ${maxFilesInFolder} that a folder may hold`);
// a checker that looked at nothing must not report success
if (edges === 0) problems.push(`no imports found under ${root}`);
const coreLines = sum([...lines].filter(([name]) => !leaves.includes(name)));
if (coreLines > maxCoreLines) problems.push(`the core has ${coreLines} lines; ${maxCoreLines} are the most`);
if (isWhole) comparePicture();

for (const problem of problems) console.error(problem);
for (const [name, size] of [...lines].sort(([, one], [, other]) => other - one))
  console.log(`${name.padEnd(18)} ${String(size).padStart(6)} lines${leaves.includes(name) ? "" : "  core"}`);
console.log(`core ${coreLines} of ${sum([...lines])} lines`);
console.log(`walls: ${edges} imports checked, ${problems.length} problems`);
process.exitCode = problems.length ? 1 : 0;

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function roomOf(file) {
  const parts = relative(root, file).split(sep);
  return parts.length > 1 ? parts[0] : undefined;
}

function count(name, text) {
  lines.set(name, (lines.get(name) ?? 0) + text.split("\n").length - 1);
}

function sum(sizes) {
  return sizes.reduce((total, [, size]) => total + size, 0);
}

// every room may import contract, so those arrows would only hide the others
function comparePicture() {
  const arrows = [...seen].filter((arrow) => !arrow.endsWith("--> contract")).sort();
  const entry = ["gateway", "queue", "tools", "guard", "settings", "store", "agent", "models", "workspace"];
  const drawn = [
    "```mermaid",
    "flowchart TD",
    "  main[main.ts] -.-> assistant[assistant.ts and rooms.ts]",
    "  main -.-> cli",
    ...entry.map((room) => `  assistant -.-> ${room}`),
    ...arrows.map((arrow) => `  ${arrow}`),
    "```",
  ].join("\n");
  const text = readFileSync(pictureFile, "utf8");
  const marks = /(<!-- drawn by check-layers -->\n)[\s\S]*?(\n<!-- end of the drawing -->)/;
  const next = text.replace(marks, (_, begin, end) => `${begin}${drawn}${end}`);
  if (next === text && text.includes(drawn)) return;
  if (process.argv.includes("--write")) writeFileSync(pictureFile, next);
  else
    problems.push(`${pictureFile}: the picture is not what is so; draw it with: node scripts/check-layers.mjs --write`);
}
