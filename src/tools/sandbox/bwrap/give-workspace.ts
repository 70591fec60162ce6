import { giveToOwner, type KnownFolders, ownerForCommands, type UserIds } from "../../programs/workspace-owner.ts";
import type { PlanDeps } from "./plan-box.ts";

const quickWalkMs = 5;

/** The file tools write as root; a tree that is large even at the second look is later given only at its top. */
export function openGiving(fallback: UserIds | undefined): PlanDeps["giveWorkspace"] {
  const known: KnownFolders = new Map();
  const walks = new Map<string, { count: number; lastMs: number }>();
  return (workspace) => {
    if (!fallback) return undefined;
    const user = ownerForCommands(workspace, fallback);
    const { count, lastMs } = walks.get(workspace) ?? { count: 0, lastMs: 0 };
    const isWhole = count < 2 || lastMs <= quickWalkMs;
    const beganAtMs = performance.now();
    giveToOwner(workspace, user, isWhole ? { known } : { depth: 1 });
    if (isWhole) walks.set(workspace, { count: count + 1, lastMs: performance.now() - beganAtMs });
    return user;
  };
}
