// The file tools beside the usual programs, in one run: searching 50,000 files, and the last lines of a gigabyte.
import { execFile } from "node:child_process";
import { mkdir, open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileToolsIn } from "../tests/scenes/tools/file-tools-in.ts";
import { median, steadyMs } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Figure, printReport } from "./measure/report.ts";

const run = promisify(execFile);
const files = 50_000;
const rounds = 9;
const words =
  "const let function return import export value result path folder file event store agent model token string number await async throw error message queue gateway turn guard Grüße".split(
    " ",
  );

const searches = [
  { what: "a literal", pattern: "needle_in_haystack" },
  { what: "an expression with a literal in it", pattern: "needle\\w+ = \\d+00;" },
  { what: "an expression without any", pattern: "\\b\\w+_\\w+_\\w+ = \\d+" },
  { what: "any case", pattern: "NEEDLE_IN_HAYSTACK", ignoreCase: true },
];

// the same all the time, as in a running Steward: threads wait for the next search
await using folder = await benchFolder();
const tools = fileToolsIn(join(folder.path, "data"));
const tree = join(folder.path, "tree");
await makeTree();
await refuseWithoutRipgrep();
const figures: Figure[] = [];
for (const search of searches) figures.push(await compareSearch(search));
figures.push(await compareFind());
figures.push({ what: "grep: one small folder", value: await smallSearchMs(), unit: "ms", goal: { atMost: 30 } });
figures.push(...(await readEndOfGigabyte()));
printReport(figures);

async function compareSearch(search: (typeof searches)[number]): Promise<Figure> {
  const { what, pattern, ignoreCase = false } = search;
  const args = ["-uu", "-n", "--no-heading", ...(ignoreCase ? ["-i"] : []), pattern, "."];
  const ours = async () => matchesOf(await callTool("grep", { pattern, ignoreCase }));
  const theirs = async () => (await run("rg", args, { cwd: tree })).stdout.trimEnd().split("\n").map(withoutDot);
  refuseOtherResults(what, await ours(), await theirs());
  const times = await takeTurns(ours, theirs);
  return { what: `grep: ${what}`, ...times, unit: "ms", goal: { ratioAtMost: 3 } };
}

async function compareFind(): Promise<Figure> {
  const ours = async () => (await callTool("find", { pattern: "f1*00.ts" })).split("\n");
  const theirs = async () =>
    (await run("rg", ["-uu", "--files", "-g", "f1*00.ts", "."], { cwd: tree })).stdout
      .trimEnd()
      .split("\n")
      .map(withoutDot);
  refuseOtherResults("find", await ours(), await theirs());
  return { what: "find: names by pattern", ...(await takeTurns(ours, theirs)), unit: "ms", goal: { ratioAtMost: 3 } };
}

async function smallSearchMs(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    times.push(await timed(() => callTool("grep", { pattern: "needle", path: "d0/e0/g0" })));
  return median(times);
}

/** One after the other, so that whatever else the machine does falls on both. */
async function takeTurns(ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours));
    times.theirs.push(await timed(theirs));
  }
  return { value: median(times.ours), against: { name: "rg", value: median(times.theirs) } };
}

async function readEndOfGigabyte(): Promise<Figure[]> {
  const name = "gigabyte.log";
  const path = join(folder.path, name);
  const lines = Array.from({ length: 1000 }, (_, line) => `line ${line}: all is well`).join("\n");
  {
    await using file = await open(path, "w");
    await file.write(`${lines}\n`);
    // a hole, which costs no disk but has to be read like anything else
    await file.write(`\n${lines}\n`, 2 ** 30);
  }
  const read = () => callTool("read", { path: name, offset: 1992, limit: 10 }, folder.path);
  const sed = () => run("sed", ["-n", "1992,2001p", path]);
  const { grownMb } = await peakOf(read);
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < 5; round++) {
    times.ours.push(await timed(read));
    times.theirs.push(await timed(sed));
  }
  const against = { name: "sed", value: median(times.theirs) };
  return [
    { what: "read: last lines of 1 GB", value: median(times.ours), unit: "ms", against, goal: { ratioAtMost: 2 } },
    { what: "read: memory for it", value: grownMb, unit: "MB", goal: { atMost: 20 } },
  ];
}

async function peakOf(act: () => Promise<unknown>): Promise<{ grownMb: number }> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  await act();
  clearInterval(watch);
  return { grownMb: (Math.max(peak, process.memoryUsage().rss) - before) / 1024 / 1024 };
}

async function callTool(name: string, args: Record<string, unknown>, workspace = tree): Promise<string> {
  const bound = tools.find((tool) => tool.name === name)?.bind(args);
  if (!bound?.ok) throw new Error(`${name} does not take its arguments`);
  const { signal } = new AbortController();
  const context = {
    conversation: "bench",
    turn: "t",
    callId: "k",
    asker: { kind: "owner", id: "owner" } as const,
    workspace,
    signal,
    progress: () => {},
  };
  const { outcome, output } = await bound.call.run(context);
  if (outcome !== "done") throw new Error(output);
  return output;
}

/** Our lines in the form `path:number:text`. */
function matchesOf(output: string): string[] {
  let path = "";
  return output.split("\n").flatMap((line) => {
    if (/^\d+:/.test(line)) return [`${path}:${line}`];
    path = line;
    return [];
  });
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, "");
}

/** Equal work, or the ratios would mean nothing. */
function refuseOtherResults(what: string, ours: readonly string[], theirs: readonly string[]): void {
  const missing = theirs.filter((line) => !ours.includes(line));
  if (missing.length > 0 || ours.length !== theirs.length || ours.length < 50)
    throw new Error(`${what}: ${ours.length} results of ours, ${theirs.length} of rg; missing: ${missing.slice(0, 3)}`);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const beganMs = steadyMs();
  await act();
  return steadyMs() - beganMs;
}

async function makeTree(): Promise<void> {
  const beganMs = steadyMs();
  let bytes = 0;
  for (let first = 0; first < files; first += 100) {
    const path = join(tree, `d${first % 50}`, `e${Math.floor(first / 50) % 20}`, `g${first / 100}`);
    await mkdir(path, { recursive: true });
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const text = textOf(first + index);
        bytes += text.length;
        return writeFile(join(path, `f${first + index}.ts`), text);
      }),
    );
  }
  const seconds = ((steadyMs() - beganMs) / 1000).toFixed(0);
  console.log(`${files} files with ${(bytes / 1024 / 1024).toFixed(0)} MB were made in ${seconds} s`);
}

function textOf(index: number): string {
  let state = index + 1;
  const lines = Array.from({ length: 80 }, () => {
    const line = Array.from({ length: 8 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      // words beyond ASCII in every tenth file
      return words[(state >>> 16) % (words.length - (index % 10 === 0 ? 0 : 1))];
    });
    return `  ${line.join(" ")};`;
  });
  if (index % 500 === 0) lines.push(`needle_in_haystack = ${index};`);
  return `${lines.join("\n")}\n`;
}

async function refuseWithoutRipgrep(): Promise<void> {
  try {
    await run("rg", ["--version"]);
  } catch (cause) {
    throw new Error("rg is missing, which the search is compared with: apt-get install ripgrep", { cause });
  }
}
