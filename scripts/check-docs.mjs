// The guides must not lie: every path, command and link they name exists.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";

const root = resolve(process.argv[2] ?? ".");
const rootGuides = ["README.md", "ARCHITECTURE.md", "AGENTS.md", "REVIEW.md", "CHANGELOG.md"];
// lies in the user's own folder, and every guide may name it
const userFiles = new Set(["config.json"]);
const notOurs = new Set(["node_modules", ".git", "dist", "coverage"]);

const files = listFiles(root);
const names = new Set(files.map((file) => basename(file)));
const npmScripts = new Set(["install", "ci", "rebuild", ...Object.keys(readJson("package.json").scripts ?? {})]);
const problems = [];
const subcommands = readSubcommands();
let looked = 0;

const guides = files.filter((file) => rootGuides.includes(file) || /^docs\/.*\.md$/.test(file));
for (const guide of guides) checkGuide(guide);
// a checker that looked at nothing must not report success
if (looked === 0) problems.push(`no paths, commands or links found in the guides of ${root}`);
for (const problem of problems) console.error(problem);
console.log(
  `docs: ${looked} paths, commands and links checked in ${guides.length} guides, ${problems.length} problems`,
);
process.exitCode = problems.length ? 1 : 0;

function checkGuide(guide) {
  const { prose, shellLines } = splitFences(readFileSync(join(root, guide), "utf8"));
  for (const line of shellLines) checkCommand(guide, line);
  for (const [, code] of prose.matchAll(/`([^`\n]+)`/g)) {
    checkCommand(guide, code);
    if (looksLikePath(code)) expect(pathExists(guide, code), `${guide}: \`${code}\` does not exist`);
  }
  for (const [, target] of prose.replace(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^([a-z]+:|#)/.test(target)) continue;
    const file = join(root, dirname(guide), target.replace(/#.*/, ""));
    expect(existsSync(file), `${guide}: the link to ${target} leads nowhere`);
  }
}

function checkCommand(guide, line) {
  const npmScript = /^npm (?:run )?([a-z][a-z:-]*)/.exec(line)?.[1];
  if (npmScript) expect(npmScripts.has(npmScript), `${guide}: \`${line}\` names no script of package.json`);
  const subcommand = /^(?:npx )?(?:steward|npm start --|npm run steward --) ([a-z][a-z-]*)/.exec(line)?.[1];
  if (subcommand && subcommands) expect(subcommands.has(subcommand), `${guide}: \`${line}\` names no steward command`);
}

function expect(isTrue, problem) {
  looked++;
  if (!isTrue) problems.push(problem);
}

// `~/…` is the user's folder and `provider/model` a model: a path of ours has a file ending, ends with a slash,
// or begins with one of our folders
function looksLikePath(code) {
  if (!/^[\w.@-][\w.@/-]*$/.test(code)) return false;
  const [first] = code.split("/");
  return (
    /\w\.(ts|mjs|js|md|json|html|css|yml)$/.test(code) || code.endsWith("/") || (first !== code && isFolder(first))
  );
}

function isFolder(name) {
  return files.some((file) => file.startsWith(`${name}/`));
}

function pathExists(guide, path) {
  if (!path.includes("/")) return names.has(path) || userFiles.has(path);
  return ["", "src", dirname(guide)].some((base) => existsSync(join(root, base, path)));
}

function splitFences(text) {
  const shellLines = [];
  const prose = text.replace(/^```(\w*)\n([\s\S]*?)^```$/gm, (_, language, body) => {
    if (/^(sh|bash|console)$/.test(language)) shellLines.push(...body.split("\n").map(withoutPrompt));
    return "";
  });
  return { prose, shellLines };
}

function withoutPrompt(line) {
  return line.trim().replace(/^\$ /, "");
}

function readSubcommands() {
  const main = join(root, "src", "main.ts");
  if (!existsSync(main)) {
    console.log("docs: steward commands not checked, there is no src/main.ts");
    return undefined;
  }
  const help = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8", timeout: 30_000 });
  const listed = /^Commands:\n((?: .*\n?)+)/m.exec(help.stdout)?.[1] ?? "";
  const found = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
  if (found.length === 0)
    problems.push(`src/main.ts --help lists no commands: ${help.stderr || help.stdout || "silence"}`);
  return new Set(found);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [relative(root, path)];
  });
}
