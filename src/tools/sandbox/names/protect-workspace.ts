import type { Protection, StandIns } from "../stand-ins/stand-ins.ts";
import type { KeptNames } from "./keep-names.ts";

export type ProtectedWorkspace =
  | { kind: "protected"; protections: readonly Protection[]; secrets: readonly string[] }
  | { kind: "refused"; reason: string };

/**
 * What to mount over every protected name of a workspace. Whoever gets it releases the stand-ins. They are put in place
 * here, and what comes before them is done, while another thread looks through the folders.
 */
export async function protectWorkspace<Before>(
  { standIns, names }: { standIns: StandIns; names: KeptNames },
  workspace: string,
  before: () => Before,
): Promise<{ before: Before; kept: ProtectedWorkspace }> {
  const finding = names.find(workspace);
  // whatever fails first is what is told
  finding.catch(() => {});
  const done = before();
  const placed = standIns.place(workspace);
  const kept = placed.kind === "refused" ? placed : await join(standIns, workspace, placed.protections, finding);
  if (kept.kind === "refused") return { before: done, kept };
  return { before: done, kept: { ...kept, protections: names.withoutKeys(workspace, kept.protections) } };
}

async function join(
  standIns: StandIns,
  workspace: string,
  placed: readonly Protection[],
  finding: ReturnType<KeptNames["find"]>,
): Promise<ProtectedWorkspace> {
  const found = await finding.catch((error) => {
    standIns.release(workspace);
    throw error;
  });
  if (found.kind === "found") {
    const { protections, secrets } = found.names;
    return { kind: "protected", protections: [...placed, ...protections], secrets };
  }
  standIns.release(workspace);
  return found;
}
