import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserIds } from "../../programs/workspace-owner.ts";
import type { HeldLimits } from "../limits/limit-layer.ts";
import type { Mount } from "../mount-rules.ts";
import type { BoxRecord } from "../record/box-record.ts";
import type { Program } from "../start-process.ts";
import { commandDescriptor } from "./box-reader.ts";
import { type bwrapArguments, hiddenFiles, textProtections } from "./bwrap-arguments.ts";
import { keeperWords } from "./keeper.ts";
import type { BoxPlan } from "./plan-box.ts";
import { canReach, type RootTools, rootLaunchWords, type StagedPath, stageFor } from "./root-launch.ts";
import { isForNetwork, type SystemEntry } from "./system-folders.ts";

export type BoxDeps = {
  bwrap: string;
  /** By which the processes of this sandbox are known; see `startClearing`. */
  mark: string;
  system: readonly SystemEntry[];
  /** Files of the kernel that no command may read. */
  coveredFiles: readonly string[];
  /** An open file that says which system calls the box allows. */
  filter: number;
  /** Descriptors that Steward was started with and that no command may get. */
  leaked: readonly number[];
  /** What bwrap itself is started with; its first process inside shows it to every command. */
  launchEnvironment: Readonly<Record<string, string>>;
  /** Set when Steward runs as root: commands never do. */
  rootTools?: RootTools | undefined;
  buildArguments: typeof bwrapArguments;
};

const ownFiles = ["passwd", "group", "hosts", "nsswitch.conf"];
const reportDescriptor = 3;
const argumentDescriptor = 4;
// what a shell closes for its children has one digit
const aliveDescriptor = commandDescriptor + 1;
const filterDescriptor = aliveDescriptor + 1;
const firstFileDescriptor = filterDescriptor + 1;
const firstTextDescriptor = firstFileDescriptor + ownFiles.length;

/** What runs inside: a command, or the reader that waits to be told one. */
export type InnerProgram = { words: readonly string[]; waits: boolean };

type BoxParts = { held: HeldLimits; inner: InnerProgram; record: BoxRecord };

/** The program that sets up a box and then becomes what runs inside; `close` what was opened for it once it has started. */
export function boxProgram(deps: BoxDeps, plan: BoxPlan, { held, inner, record }: BoxParts) {
  const { rootTools, launchEnvironment: environment } = deps;
  const { user, limits } = plan;
  const { joinFiles } = held;
  const { mounts, staged } = user ? stageMounts(user, plan.mounts) : { mounts: plan.mounts, staged: [] };
  const launcher = user && rootTools ? rootLaunchWords(rootTools, { user, limits, joinFiles, staged }) : [];
  // a variable that there is not: only so that the mark stands on the command line
  const bwrap = [deps.bwrap, "--unsetenv", deps.mark, "--args", String(argumentDescriptor), "--", ...inner.words];
  const keeper = keeperWords({ report: reportDescriptor, alive: aliveDescriptor });
  const [file = "", ...args] = [...keeper, ...held.prefix, ...launcher, ...bwrap];
  const texts = textProtections(plan.protections);
  const wanted = { waits: inner.waits, texts: texts.length, empties: hiddenFiles(plan.protections).length };
  const { descriptors, close } = openDescriptors(deps, record.report, wanted);
  return {
    program: {
      ...{ file, args, environment, cwd: "/", takesInput: plan.takesInput, output: record.output, descriptors },
    } satisfies Program,
    // to be written into descriptors that are pipes
    texts: [
      // by a pipe: a command line can be read by every user of the machine, and this one holds the environment
      { descriptor: argumentDescriptor, text: argumentText(deps, plan, mounts) },
      ...texts.map(({ text }, position) => ({ descriptor: firstTextDescriptor + position, text })),
    ],
    close,
  };
}

function argumentText(deps: BoxDeps, plan: BoxPlan, [workspace, ...mounts]: readonly Mount[]): string {
  if (!workspace) throw new Error("the workspace is always mounted");
  const texts = textProtections(plan.protections);
  const words = deps.buildArguments({
    system: deps.system.filter((entry) => plan.network.kind !== "none" || !isForNetwork(entry)),
    files: ownFiles.map((name, at) => ({ descriptor: firstFileDescriptor + at, target: join("/etc", name) })),
    workspace,
    mounts,
    protections: plan.protections,
    coveredFiles: deps.coveredFiles,
    filterDescriptor,
    textDescriptors: texts.map((_, position) => firstTextDescriptor + position),
    emptyDescriptors: hiddenFiles(plan.protections).map((_, at) => firstTextDescriptor + texts.length + at),
    reportDescriptor,
    environment: plan.environment,
    cwd: plan.cwd,
    memoryBytes: plan.limits.memoryBytes,
  });
  return words.map((word) => `${word}\0`).join("");
}

function stageMounts(user: UserIds, mounts: readonly Mount[]) {
  const staged: StagedPath[] = [];
  const shown = mounts.map((mount) => {
    if (canReach(user, mount.source)) return mount;
    const place = stageFor(staged.length, mount.source);
    staged.push(place);
    return { ...mount, source: place.stage };
  });
  return { mounts: shown, staged };
}

/** bwrap reads our files from descriptors, so they need not be readable for the user it runs as. */
type Wanted = { waits: boolean; texts: number; empties: number };

function openDescriptors({ leaked, filter }: BoxDeps, report: number, wanted: Wanted) {
  const empty = openSync("/dev/null", "r");
  // opened anew: each box reads it from its beginning
  const rules = openSync(`/proc/self/fd/${filter}`, "r");
  const files = ownFiles.map((name) => openSync(join(import.meta.dirname, "etc", name), "r"));
  const descriptors: (number | "pipe" | "ignore")[] = [
    ...[report, "pipe" as const, wanted.waits ? ("pipe" as const) : empty, "pipe" as const, rules],
    ...[...files, ...Array<"pipe">(wanted.texts).fill("pipe"), ...Array<number>(wanted.empties).fill(empty)],
  ];
  for (const descriptor of leaked) {
    const position = descriptor - reportDescriptor;
    while (descriptors.length <= position) descriptors.push("ignore");
    // covered with nothing, unless one of ours lies there already
    if (descriptors[position] === "ignore") descriptors[position] = empty;
  }
  return { descriptors, close };

  function close(): void {
    for (const descriptor of [empty, rules, ...files]) closeSync(descriptor);
  }
}

const closesOnExec = 0o2000000;

/**
 * Descriptors that whoever started Steward left open and that every child would get. Node closes those below about
 * sixteen by itself; an open folder among the others would be a way out of any sandbox.
 */
export function findInheritableDescriptors(folder = "/proc/self/fdinfo"): number[] {
  return readdirSync(folder)
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInheritable(`${folder}/${descriptor}`));
}

function isInheritable(file: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(file, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    // the descriptor by which the folder was read is already closed
    return false;
  }
}
