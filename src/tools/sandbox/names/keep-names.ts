// Before, while and after a command: what is to be mounted over protected names, what has become of them, and what the
// command has brought that other programs would obey.
import { basename, join } from "node:path";
import { reasonOf } from "../../../contract/failure.ts";
import type { Protection } from "../stand-ins/stand-ins.ts";
import { type BytePath, textOf } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import { nestedProtections } from "./nested-protections.ts";
import { secretValuesIn } from "./secret-values.ts";
import { type Judged, setAside, setTouchedAside } from "./set-aside.ts";
import { openWatchInThread } from "./watch-in-thread.ts";
import type { Lost } from "./watch-thread.ts";

export type NamesFound = {
  /** For the names that no stand-in covers. */
  protections: readonly Protection[];
  /** The numbers of the files with keys that are hidden. */
  secrets: readonly string[];
};

export type KeptNames = {
  find(workspace: string): Promise<{ kind: "found"; names: NamesFound } | { kind: "refused"; reason: string }>;
  /** From now on it is seen when somebody takes a protection away. */
  begin(box: { workspace: string; protections: readonly Protection[]; secrets: readonly string[] }): KeptBox;
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
type Workspace = {
  /** The owner's, by file and by place: every command finds a mount there, so a change of it is the owner's too. */
  owned: ReadonlySet<string>;
  /** Made by a command and harmless, each in the version that was looked at. */
  harmless: Set<string>;
  running: Set<Running>;
  sweeping: Promise<void>;
  timer?: NodeJS.Timeout;
};

const sweepEveryMs = 1_000;
const mostNamed = 10;

export type KeepDeps = {
  /** Where what is set aside comes to lie. */
  folder: string;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
};

export function openKeptNames(deps: KeepDeps): KeptNames {
  const watch = openWatchInThread();
  const workspaces = new Map<string, Workspace>();
  let counter = 0;
  return { find, begin, close: watch.close };

  async function find(workspace: string): ReturnType<KeptNames["find"]> {
    const state = stateOf(workspace);
    // what another command has just made is not the owner's
    if (state.running.size > 0) await sweep(workspace, state);
    const found = await watch.look(workspace);
    // nothing runs, so all of it is the owner's
    if (state.running.size === 0) state.owned = new Set(found.flatMap((one) => [one.id, ...placeOf(one)]));
    const protections = nestedProtections(workspace, found);
    if ("refused" in protections) return { kind: "refused", reason: protections.refused };
    const secrets = found.filter(({ role }) => role === "secret").map(({ id }) => id);
    return { kind: "found", names: { protections, secrets } };
  }

  function begin({ workspace, protections, secrets }: Parameters<KeptNames["begin"]>[0]): KeptBox {
    const state = stateOf(workspace);
    const own: Running = { notices: [] };
    let onLost = () => {};
    let lost: Lost | undefined;
    state.running.add(own);
    state.timer ??= setInterval(() => void sweep(workspace, state), sweepEveryMs).unref();
    const kept = protections.flatMap((one) =>
      one.kind === "text" ? [] : [{ path: one.name, id: one.id, folder: one.folder }],
    );
    const box = watch.begin({ workspace, kept, secrets }, lose);
    return { runsAs: box.runsAs, isClear, whenLost, end };

    function lose(what: Lost): void {
      if (lost !== undefined) return;
      lost = what;
      hideSecrets([what.path]);
      onLost();
    }

    function hideSecrets(paths: readonly string[]): void {
      for (const path of paths) deps.hideValues(secretValuesIn(join(workspace, path)));
    }

    async function secretsNow(): Promise<readonly string[]> {
      // a watch that has failed knows of none
      const found = await watch.look(workspace).catch(() => []);
      const isNew = ({ role, id }: FoundName) => role === "secret" && !secrets.includes(id);
      return [...kept.map(({ path }) => path), ...found.filter(isNew).map(({ path }) => textOf(path))];
    }

    function setTouched(paths: readonly BytePath[]): void {
      for (const path of paths) {
        const judged = tryAside(textOf(path), (folder) => setTouchedAside(workspace, folder, path));
        if (judged.kind === "set aside") own.notices.push(touchedNotice(textOf(path), judged.to));
        if (judged.kind === "failed") own.notices.push(judged.notice);
      }
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
      const swept = sweep(workspace, state);
      // heard before the look: from here on stand-ins may go
      const ending = box.end();
      await swept;
      await ending.then(setTouched, (error) => own.notices.push(unheardNotice(error)));
      // what it may have read has perhaps been moved on since
      if (lost !== undefined) hideSecrets(await secretsNow());
      leave(state, own);
      return [...(lost === undefined ? [] : [lostNotice(lost)]), ...shortened(own.notices)];
    }
  }

  function leave(state: Workspace, own: Running): void {
    state.running.delete(own);
    if (state.running.size > 0) return;
    state.harmless.clear();
    clearInterval(state.timer);
    delete state.timer;
  }

  function stateOf(workspace: string): Workspace {
    const state = workspaces.get(workspace) ?? newWorkspace();
    workspaces.set(workspace, state);
    return state;
  }

  /** One at a time, or one would judge what the other has just moved. */
  function sweep(workspace: string, state: Workspace): Promise<void> {
    state.sweeping = state.sweeping.then(async () => {
      const found = await watch.look(workspace).catch((error) => {
        tell(state, `What the command has made could not be looked through: ${reasonOf(error)}`);
        return [];
      });
      for (const one of found) if (one.role !== "secret" && !isKnown(state, one)) judge(workspace, state, one);
    });
    return state.sweeping;
  }

  function judge(workspace: string, state: Workspace, found: FoundName): void {
    const path = textOf(found.path);
    const judged = tryAside(path, (folder) => setAside(workspace, folder, found));
    if (judged.kind === "harmless") state.harmless.add(found.version);
    if (judged.kind === "set aside") tell(state, asideNotice(path, judged.to));
    if (judged.kind === "failed") tell(state, judged.notice);
  }

  function tryAside(path: string, move: (folder: string) => Judged): Judged | { kind: "failed"; notice: string } {
    try {
      return move(join(deps.folder, `${Date.now()}-${++counter}`));
    } catch (error) {
      return { kind: "failed", notice: failedNotice(path, error) };
    }
  }

  function tell(state: Workspace, notice: string): void {
    for (const { notices } of state.running) notices.push(notice);
  }
}

function newWorkspace(): Workspace {
  return { owned: new Set(), harmless: new Set(), running: new Set(), sweeping: Promise.resolve() };
}

function isKnown({ owned, harmless }: Workspace, one: FoundName): boolean {
  return harmless.has(one.version) || owned.has(one.id) || placeOf(one).some((place) => owned.has(place));
}

/** A link has no mount on itself, so another one may have come in its place. */
function placeOf({ kind, folder, path }: FoundName): string[] {
  return kind === "link" ? [] : [`${folder}/${basename(path)}`];
}

function lostNotice({ path, how }: Lost): string {
  const name = JSON.stringify(path);
  const ended = "the command was ended and its output from then on is not shown. Run it again";
  if (how === "came")
    return `${name} came into the workspace while the command ran; files with keys are the owner's alone, so ${ended}; if the command itself makes this file, leave that to the owner.`;
  const what = how === "replaced" ? `${name} was replaced` : "Protected files could no longer be watched";
  return `${what} while the command ran, which could have read or changed what was no longer kept from it: ${ended}.`;
}

function asideNotice(path: string, to: string): string {
  return `${JSON.stringify(path)} was set aside: other programs run or obey it, so only the owner puts it there. It now lies in ${to}; the owner can move it back.`;
}

function touchedNotice(path: string, to: string): string {
  return `${JSON.stringify(path)} was saved while the command ran and changed again before the command was ended: it was set aside, since the command may have changed it. It now lies in ${to}; look at it and move it back.`;
}

function unheardNotice(error: unknown): string {
  return `Whether the command changed protected files that were saved while it ran could not be found out (${reasonOf(error)}): look at them.`;
}

function failedNotice(path: string, error: unknown): string {
  return `${JSON.stringify(path)} should have been set aside, because other programs obey it: ${reasonOf(error)}`;
}

function shortened(notices: readonly string[]): string[] {
  const more = notices.length - mostNamed;
  return more > 0 ? [...notices.slice(0, mostNamed), `${more} more were set aside.`] : [...notices];
}
