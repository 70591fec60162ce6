// Before, while and after a command: what is to be mounted over protected names, what has become of them, and what the
// command has brought that other programs would obey.
import { dirname, join } from "node:path";
import type { Protection } from "../stand-ins/stand-ins.ts";
import type { Released } from "../start-command.ts";
import { textOf } from "./byte-path.ts";
import type { FoundName } from "./name-index.ts";
import { nestedProtections } from "./nested-protections.ts";
import { lostNotice, shortened, unheardNotice } from "./notices.ts";
import { openOwnedRecord } from "./owned-record.ts";
import { secretValuesIn } from "./secret-values.ts";
import { openSweptWorkspace, type SweptWorkspace } from "./swept-workspace.ts";
import { type BoxWatch, openWatchInThread, unwatched } from "./watch-in-thread.ts";
import type { Lost } from "./watch-thread.ts";
import { openMasking } from "./without-keys.ts";

export type NamesFound = {
  /** For the names that no stand-in covers. */
  protections: readonly Protection[];
  /** The numbers of the files with keys that are hidden. */
  secrets: readonly string[];
};

export type KeptNames = {
  find(workspace: string): Promise<{ kind: "found"; names: NamesFound } | { kind: "refused"; reason: string }>;
  /** What comes into being from now on is not the owner's. */
  begin(box: { workspace: string; protections: readonly Protection[]; secrets: readonly string[] }): KeptBox;
  /** The same, with the keys masked that stand among settings. */
  withoutKeys(workspace: string, protections: readonly Protection[]): readonly Protection[];
  close(): Promise<void>;
};

export type KeptBox = {
  /** From now on it is seen when somebody takes a protection away; the group of processes is ended at once. */
  started(group?: number): void;
  whenLost(stop: () => void): void;
  isClear(): Promise<boolean>;
  /** Called when nothing runs any more, and before stand-ins go; what the owner and the model should know. */
  end(): Promise<Released>;
};

export type KeepDeps = {
  /** Where what is set aside comes to lie; beside it is noted what is the owner's. */
  folder: string;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
  redact(text: string): string;
};

export function openKeptNames(deps: KeepDeps): KeptNames {
  const watch = openWatchInThread();
  const workspaces = new Map<string, SweptWorkspace>();
  return { find, begin, withoutKeys: openMasking(deps.redact), close: watch.close };

  async function find(workspace: string): ReturnType<KeptNames["find"]> {
    const looked = await sweptWorkspace(workspace).find();
    if (looked.kind === "refused") return looked;
    const { found } = looked;
    const protections = nestedProtections(workspace, found);
    if ("refused" in protections) return { kind: "refused", reason: protections.refused };
    const secrets = found.filter(({ role }) => role === "secret").map(({ id }) => id);
    return { kind: "found", names: { protections, secrets } };
  }

  function begin({ workspace, protections, secrets }: Parameters<KeptNames["begin"]>[0]): KeptBox {
    const swept = sweptWorkspace(workspace).begin();
    let onLost = () => {};
    let lost: Lost | undefined;
    const kept = protections.flatMap((one) =>
      one.kind === "text" && one.id === undefined ? [] : [{ path: one.name, id: one.id, folder: one.folder }],
    );
    let box: BoxWatch | undefined;
    /** At its end. */
    let wasClear: boolean | undefined;
    return { started, isClear, whenLost, end };

    /** Not before: whatever was replaced since the mounts were planned is known by its number. */
    function started(group?: number): void {
      box = watch.begin({ workspace, kept, secrets, group }, lose);
    }

    function lose(what: Lost): void {
      if (lost !== undefined) return;
      note(what);
      onLost();
    }

    function note(what: Lost): void {
      lost = what;
      hideSecrets([what.path]);
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

    function whenLost(stop: () => void): void {
      onLost = stop;
      if (lost !== undefined) stop();
    }

    async function isClear(): Promise<boolean> {
      if (wasClear !== undefined) return wasClear;
      // a watch that has failed has seen nothing
      const isClear = lost === undefined && ((await box?.isClear().catch(() => false)) ?? false);
      return isClear && lost === undefined;
    }

    async function end(): Promise<Released> {
      const ending = box?.end().catch((error) => unheardNotice(error));
      await swept.sweep(ending?.then((ended) => (typeof ended === "string" ? undefined : ended.found)));
      const ended = await ending;
      // with its last breath, or nobody can tell
      const lostLast = typeof ended === "string" ? unwatched : ended?.lost;
      if (lost === undefined && lostLast) note(lostLast);
      // what it may have read has perhaps been moved on since
      if (lost !== undefined) hideSecrets(await secretsNow());
      if (typeof ended === "object") swept.setTouchedAside(ended.touched);
      const notices = shortened([...swept.leave(), ...(typeof ended === "string" ? [ended] : [])]);
      wasClear = lost === undefined;
      return { notices: lost ? [lostNotice(lost), ...notices] : notices, isClear: wasClear };
    }
  }

  function sweptWorkspace(workspace: string): SweptWorkspace {
    const known = workspaces.get(workspace);
    if (known) return known;
    const record = openOwnedRecord(join(dirname(deps.folder), "owned-names"), workspace);
    const look = () => watch.look(workspace);
    const onKeys = (path: string) => deps.hideValues(secretValuesIn(join(workspace, path)));
    const opened = openSweptWorkspace({ workspace, folder: deps.folder, record, look, onKeys });
    workspaces.set(workspace, opened);
    return opened;
  }
}
