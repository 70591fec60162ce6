// Before, while and after a command: what is to be mounted over protected names, what has become of them, and what the
// command has brought that other programs would obey.
import { join } from "node:path";
import { reasonOf } from "../../../contract/failure.ts";
import { type Protection, standInNames } from "../stand-ins/stand-ins.ts";
import { type FoundName, textOf } from "./name-index.ts";
import { nestedProtections } from "./nested-protections.ts";
import { secretValuesIn } from "./secret-values.ts";
import { setAside } from "./set-aside.ts";
import { openNameWatch } from "./watch-names.ts";

export type NamesFound = {
  /** For the names that no stand-in covers. */
  protections: readonly Protection[];
  /** The files with keys that are hidden by them. */
  secrets: readonly string[];
};

export type KeptNames = {
  find(workspace: string): Promise<{ kind: "found"; names: NamesFound } | { kind: "refused"; reason: string }>;
  begin(box: { workspace: string; kept: readonly string[]; secrets: readonly string[] }): Promise<KeptBox>;
  close(): Promise<void>;
};

export type KeptBox = {
  /** The group of processes to end at once. */
  runsAs(group: number): void;
  whenLost(stop: () => void): void;
  isClear(): Promise<boolean>;
  /** Called when nothing runs any more; what the owner and the model should know. */
  end(): Promise<readonly string[]>;
};

type Running = { notices: string[] };
type Workspace = { accepted: Set<string>; running: Set<Running>; sweeping: Promise<void>; timer?: NodeJS.Timeout };

const sweepEveryMs = 1_000;
const mostNamed = 10;

export type KeepDeps = {
  /** Where what is set aside comes to lie. */
  folder: string;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
};

export function openKeptNames(deps: KeepDeps): KeptNames {
  const watch = openNameWatch();
  const workspaces = new Map<string, Workspace>();
  let counter = 0;
  return { find, begin, close: watch.close };

  async function find(workspace: string): ReturnType<KeptNames["find"]> {
    const state = stateOf(workspace);
    // what another command has just made is not the owner's
    if (state.running.size > 0) await sweep(workspace, state);
    const found = await lookAt(workspace);
    // nothing runs, so all of it is the owner's
    if (state.running.size === 0) state.accepted = new Set(found.map(({ version }) => version));
    const protections = nestedProtections(workspace, found);
    if ("refused" in protections) return { kind: "refused", reason: protections.refused };
    const secrets = found.filter(({ role }) => role === "secret").map(({ id }) => id);
    return { kind: "found", names: { protections, secrets } };
  }

  async function lookAt(workspace: string): Promise<FoundName[]> {
    const found = await watch.look(workspace);
    return found.filter(({ path }) => !standInNames.has(path));
  }

  async function begin({ workspace, kept, secrets }: Parameters<KeptNames["begin"]>[0]): Promise<KeptBox> {
    const state = stateOf(workspace);
    const own: Running = { notices: [] };
    let onLost = () => {};
    let lost: string | undefined;
    state.running.add(own);
    state.timer ??= setInterval(() => void sweep(workspace, state), sweepEveryMs).unref();
    const box = await watch.begin({ workspace, kept, secrets }, lose).catch((error) => {
      leave(state, own);
      throw error;
    });
    return { runsAs: box.runsAs, isClear, whenLost, end };

    function lose(path: string): void {
      if (lost !== undefined) return;
      lost = textOf(path);
      deps.hideValues(secretValuesIn(join(workspace, lost)));
      onLost();
    }

    function whenLost(stop: () => void): void {
      onLost = stop;
      if (lost !== undefined) stop();
    }

    async function isClear(): Promise<boolean> {
      // a watch that has failed has seen nothing
      const isClear = lost === undefined && (await box.isClear().catch(() => false));
      return isClear && lost === undefined;
    }

    async function end(): Promise<readonly string[]> {
      await sweep(workspace, state);
      box.end();
      leave(state, own);
      return [...(lost === undefined ? [] : [lostNotice(lost)]), ...shortened(own.notices)];
    }
  }

  function leave(state: Workspace, own: Running): void {
    state.running.delete(own);
    if (state.running.size > 0) return;
    clearInterval(state.timer);
    delete state.timer;
  }

  function stateOf(workspace: string): Workspace {
    const state = workspaces.get(workspace) ?? { accepted: new Set(), running: new Set(), sweeping: Promise.resolve() };
    workspaces.set(workspace, state);
    return state;
  }

  /** One at a time, or one would judge what the other has just moved. */
  function sweep(workspace: string, state: Workspace): Promise<void> {
    state.sweeping = state.sweeping.then(async () => {
      const found = await lookAt(workspace).catch((error) => {
        tell(state, `What the command has made could not be looked through: ${reasonOf(error)}`);
        return [];
      });
      for (const one of found)
        if (one.role !== "secret" && !state.accepted.has(one.version)) judge(workspace, state, one);
    });
    return state.sweeping;
  }

  function judge(workspace: string, state: Workspace, found: FoundName): void {
    const path = textOf(found.path);
    try {
      const judged = setAside(workspace, join(deps.folder, `${Date.now()}-${++counter}`), found);
      if (judged.kind === "harmless") state.accepted.add(found.version);
      if (judged.kind === "set aside") tell(state, asideNotice(path, judged.to));
    } catch (error) {
      tell(
        state,
        `${JSON.stringify(path)} should have been set aside, because other programs obey it: ${reasonOf(error)}`,
      );
    }
  }

  function tell(state: Workspace, notice: string): void {
    for (const { notices } of state.running) notices.push(notice);
  }
}

function lostNotice(path: string): string {
  const what =
    path === ""
      ? "Protected files could no longer be watched"
      : `${JSON.stringify(path)} came into the workspace from outside`;
  return `${what} while the command ran, which could have read or changed it: the command was ended, and its output from then on is not shown. Run it again.`;
}

function asideNotice(path: string, to: string): string {
  return `${JSON.stringify(path)} was set aside: other programs run or obey it, so only the owner puts it there. It now lies in ${to}; the owner can move it back.`;
}

function shortened(notices: readonly string[]): string[] {
  const more = notices.length - mostNamed;
  return more > 0 ? [...notices.slice(0, mostNamed), `${more} more were set aside.`] : [...notices];
}
