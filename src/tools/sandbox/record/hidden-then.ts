// Which files with keys a box was kept from when its command began, so that a later process sees whether one has come since.
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileId } from "../names/file-id.ts";
import { openWatchInThread } from "../names/watch-in-thread.ts";
import { isStandIn, type Protection } from "../stand-ins/stand-ins.ts";
import type { BoxRecord } from "./box-record.ts";

type HiddenThen = {
  workspace: string;
  /** Wherever they lie. */
  secrets: readonly string[];
  /** Those on which a mount lies. */
  names: readonly { name: string; id: string }[];
};

const fileName = "hidden.json";

type Plan = { workspace: string; protections: readonly Protection[]; secrets: readonly string[] };

/** Puts the record where a later process finds it, and what was hidden beside it. */
export function moveRecord(record: BoxRecord, place: string | undefined, plan: Plan): void {
  if (place === undefined) return;
  const names = plan.protections.flatMap((one) =>
    isHidden(one) && one.id !== undefined ? [{ name: one.name, id: one.id }] : [],
  );
  const hidden: HiddenThen = { workspace: plan.workspace, secrets: [...plan.secrets], names };
  try {
    writeFileSync(join(place, fileName), JSON.stringify(hidden), { mode: 0o600 });
  } catch {
    // without it whoever comes later shows nothing of what was printed
  }
  record.moveTo(place);
}

function isHidden(one: Protection): one is Exclude<Protection, { kind: "text" }> {
  return one.kind === "hidden" || one.kind === "hidden-folder";
}

/** Written by Steward where nobody else writes; of a damaged one a part is missing, which throws where it is used. */
function readHidden(place: string): HiddenThen {
  return JSON.parse(readFileSync(join(place, fileName), "utf8"));
}

/** False also when nobody can tell. What came and went again meanwhile is not seen. */
export async function isStillHidden(place: string): Promise<boolean> {
  const watch = openWatchInThread();
  try {
    const { workspace, secrets, names } = readHidden(place);
    const isReplaced = names.some(({ name, id }) => {
      const found = lstatSync(join(workspace, name), { throwIfNoEntry: false });
      return found !== undefined && fileId(found) !== id && !isStandIn(found);
    });
    if (isReplaced) return false;
    const found = await watch.look(workspace);
    return found.every(({ role, id }) => role !== "secret" || secrets.includes(id));
  } catch {
    return false;
  } finally {
    await watch.close();
  }
}
