// One workspace: what in it is the owner's, and what came with a command and other programs would obey, which is moved out.
import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { reasonOf } from "../../../contract/failure.ts";
import { type BytePath, below, bytePath, bytesOf, textOf } from "./byte-path.ts";
import { fileId } from "./file-id.ts";
import type { FoundName } from "./name-index.ts";
import { asideNotice, failedNotice, stuckReason, touchedNotice, unnotedNotice, unsweptNotice } from "./notices.ts";
import type { OwnedRecord } from "./owned-record.ts";
import { isInPackages } from "./protected-role.ts";
import { type Judged, setAside, setTouchedAside } from "./set-aside.ts";

export type SweptWorkspace = {
  /** Every protected name at this moment; refused while something lies there that could not be set aside. */
  find(): Promise<{ kind: "found"; found: readonly FoundName[] } | { kind: "refused"; reason: string }>;
  begin(): SweptCommand;
};

export type SweptCommand = {
  /** Called when nothing of it runs any more; with what has been found since, if that is known. */
  sweep(seen?: Promise<readonly FoundName[] | undefined>): Promise<void>;
  /** Moves out what was saved and then changed again. */
  setTouchedAside(paths: readonly BytePath[]): void;
  /** What there was to tell. */
  leave(): readonly string[];
};

export type SweepDeps = {
  workspace: string;
  look(): Promise<readonly FoundName[]>;
  /** Where what is set aside comes to lie. */
  folder: string;
  record: OwnedRecord;
  /** Told of a file with keys that came while commands ran; nobody can tell whose they are. */
  onKeys(path: string): void;
};

type Running = { notices: string[] };
type Stuck = { path: BytePath; reason: string };

const sweepEveryMs = 1_000;

export function openSweptWorkspace({ workspace, look, folder, record, onKeys }: SweepDeps): SweptWorkspace {
  const left = record.left();
  /** By file and by place: every command finds a mount there, so a change of it is the owner's too. */
  let owned: ReadonlySet<string> = left ?? new Set();
  /** Until what commands have made was looked through nothing becomes the owner's. */
  let mustSweep = left !== undefined;
  /** By their numbers: what could not be set aside. */
  const stuck = new Map<string, Stuck>();
  const running = new Set<Running>();
  /** For the next command, where none runs. */
  const untold: string[] = [];
  let begun = 0;
  let active = 0;
  let asides = 0;
  let waiting = 0;
  let sweeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  return { find, begin };

  async function find(): ReturnType<SweptWorkspace["find"]> {
    if (mustSweep || stuck.size > 0) await sweep();
    // what was looked at before that may have been moved since
    const isSwept = !mustSweep;
    const begunBefore = begun;
    const found = await look();
    const [stays] = stuck.values();
    if (stays) return { kind: "refused", reason: stuckReason(workspace, textOf(stays.path), stays.reason) };
    if (isSwept && begun === begunBefore) owned = new Set(found.flatMap((one) => [one.id, ...placeOf(one)]));
    return { kind: "found", found };
  }

  function begin(): SweptCommand {
    const own: Running = { notices: untold.splice(0) };
    if (running.size === 0) note(own);
    running.add(own);
    begun += 1;
    active += 1;
    mustSweep = true;
    // one that waits finds all that another would
    timer ??= setInterval(() => void (waiting === 0 && sweep()), sweepEveryMs).unref();
    return {
      sweep: (seen) => {
        active -= 1;
        return sweep(seen);
      },
      setTouchedAside: (paths) => paths.forEach(moveTouched),
      leave: () => leave(own),
    };
  }

  function note(own: Running): void {
    try {
      record.use(owned);
    } catch (error) {
      // on a full disk commands must go on: they are what makes room
      own.notices.push(unnotedNotice(error));
    }
  }

  function leave(own: Running): readonly string[] {
    running.delete(own);
    if (running.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    putAway();
    return own.notices;
  }

  function putAway(): void {
    if (running.size === 0 && !mustSweep && stuck.size === 0) record.putAway();
  }

  /** One at a time, or one would judge what the other has just moved. */
  function sweep(seen?: Promise<readonly FoundName[] | undefined>): Promise<void> {
    // at once, so that the other thread looks while the caller goes on
    const sweptNow = waiting === 0 ? sweepNow(seen) : sweeping.then(() => sweepNow());
    waiting += 1;
    sweeping = sweptNow.finally(() => {
      waiting -= 1;
    });
    return sweeping;
  }

  async function sweepNow(seen?: Promise<readonly FoundName[] | undefined>): Promise<void> {
    const isQuiet = active === 0;
    const begunBefore = begun;
    const found = (await seen) ?? (await look().catch((error) => void tell(unsweptNotice(error))));
    if (!found) return;
    // what was harmless before is judged anew: who has it mapped into memory changes it without a trace
    for (const one of found) if (!isKnown(one) && !(one.role === "secret" && isInPackages(one.path))) judge(one);
    const ids = new Set(found.map(({ id }) => id));
    for (const [id, { path }] of stuck) if (!ids.has(id) && idAt(path) !== id) stuck.delete(id);
    if (isQuiet && begun === begunBefore) mustSweep = false;
    putAway();
  }

  function judge(found: FoundName): void {
    // as long as it lies there
    if (found.role === "secret") onKeys(textOf(found.path));
    const judged = tryAside(found.id, found.path, (to) => setAside(workspace, to, found));
    if (judged?.kind === "set aside") tell(asideNotice(textOf(found.path), judged.to));
  }

  function moveTouched(path: BytePath): void {
    const judged = tryAside(idAt(path) ?? "", path, (to) => setTouchedAside(workspace, to, path));
    if (judged?.kind === "set aside") tell(touchedNotice(textOf(path), judged.to));
  }

  /** Undefined: it could not be moved. No command runs then until it is gone, and nobody takes it for the owner's. */
  function tryAside(id: string, path: BytePath, move: (to: string) => Judged): Judged | undefined {
    try {
      const judged = move(join(folder, `${Date.now()}-${++asides}`));
      stuck.delete(id);
      return judged;
    } catch (error) {
      if (!stuck.has(id)) tell(failedNotice(textOf(path), error));
      stuck.set(id, { path, reason: reasonOf(error) });
      return undefined;
    }
  }

  function tell(notice: string): void {
    if (running.size === 0) untold.push(notice);
    for (const { notices } of running) notices.push(notice);
  }

  function isKnown(one: FoundName): boolean {
    if (stuck.has(one.id)) return false;
    return owned.has(one.id) || placeOf(one).some((place) => owned.has(place));
  }

  function idAt(path: BytePath): string | undefined {
    try {
      const stats = lstatSync(bytesOf(below(bytePath(workspace), path)), { throwIfNoEntry: false });
      return stats && fileId(stats);
    } catch {
      // nobody can get at it in a folder that may not be entered; that one is then found closed
      return undefined;
    }
  }
}

/** A link has no mount on itself, so another one may have come in its place. */
function placeOf({ kind, folder, path }: FoundName): string[] {
  return kind === "link" ? [] : [`${folder}/${basename(path)}`];
}
