import { statSync } from "node:fs";
import { giveToOwner, type KnownFolders, ownerForCommands, type UserIds } from "../../programs/workspace-owner.ts";
import { commandEnvironment } from "../command-environment.ts";
import { innerSocket } from "../egress/egress-relay.ts";
import type { Mount, MountPlaces } from "../mount-rules.ts";
import type { KeptNames } from "../names/keep-names.ts";
import { protectWorkspace } from "../names/protect-workspace.ts";
import { planMounts } from "../plan-mounts.ts";
import type { SandboxCommand, SandboxLimits, SandboxNetwork } from "../sandbox.ts";
import type { Protection, StandIns } from "../stand-ins/stand-ins.ts";
import { takesInput } from "../start-command.ts";

/** Everything that a box is made from; two commands with the same plan could run in the same kind of box. */
export type BoxPlan = {
  /** Where the workspace really is. */
  workspace: string;
  /** The workspace first. */
  mounts: readonly Mount[];
  cwd: string;
  protections: readonly Protection[];
  /** The numbers of the files with keys that are hidden. */
  secrets: readonly string[];
  user: UserIds | undefined;
  environment: Readonly<Record<string, string>>;
  network: SandboxNetwork;
  limits: SandboxLimits;
  takesInput: boolean;
};

export type PlannedBox = { kind: "planned"; plan: BoxPlan } | { kind: "refused"; reason: string };

export type PlanDeps = {
  places: MountPlaces;
  standIns: StandIns;
  names: KeptNames;
  /** Whom commands run as in this workspace, which is theirs from then on; undefined: as Steward itself. */
  giveWorkspace(workspace: string): UserIds | undefined;
};

/** Checks every path and puts the stand-ins in place; whoever gets a plan releases them. */
export async function planBox(deps: PlanDeps, command: SandboxCommand): Promise<PlannedBox> {
  const planned = planMounts(deps.places, command);
  if (planned.kind === "refused") return planned;
  const { workspace, cwd } = planned;
  const { before: user, kept } = await protectWorkspace(deps, workspace, () => deps.giveWorkspace(workspace));
  if (kept.kind === "refused") return kept;
  const plan: BoxPlan = {
    ...{ workspace, cwd, user, protections: kept.protections, secrets: kept.secrets },
    mounts: [...planned.mounts, ...networkMounts(command)],
    environment: commandEnvironment(command),
    network: command.network,
    limits: command.limits,
    takesInput: takesInput(command),
  };
  return { kind: "planned", plan };
}

/** Tells plans apart, and folders that have been replaced by others of the same name. */
export function identityOf(plan: BoxPlan): string {
  const sources = plan.mounts.map(({ source }) => {
    const { dev, ino } = statSync(source);
    return `${dev}:${ino}`;
  });
  // these two are held from outside, command by command
  const { wallMs, outputBytes, ...limits } = plan.limits;
  // input is given to a box only with its command, and whether it still hides what it should is looked at then
  const { takesInput, secrets, ...rest } = plan;
  return JSON.stringify({ ...rest, limits, sources });
}

function networkMounts(command: SandboxCommand): Mount[] {
  if (command.network.kind === "none") return [];
  return [{ source: command.network.socketPath, target: innerSocket, access: "read" }];
}

const quickWalkMs = 5;

/** The file tools write as root; a tree that is large even at the second look is later given only at its top. */
export function openGiving(isRoot: boolean): PlanDeps["giveWorkspace"] {
  const known: KnownFolders = new Map();
  const walks = new Map<string, { count: number; lastMs: number }>();
  return (workspace) => {
    if (!isRoot) return undefined;
    const user = ownerForCommands(workspace);
    const { count, lastMs } = walks.get(workspace) ?? { count: 0, lastMs: 0 };
    const isWhole = count < 2 || lastMs <= quickWalkMs;
    const beganAtMs = performance.now();
    giveToOwner(workspace, user, isWhole ? { known } : { depth: 1 });
    if (isWhole) walks.set(workspace, { count: count + 1, lastMs: performance.now() - beganAtMs });
    return user;
  };
}
