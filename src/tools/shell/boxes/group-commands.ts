// Commands of groups: each group has a sandbox of its own, by what the owner has settled for it, opened with its first command.
import { createHash } from "node:crypto";
import { type GivenFolder, whyAway } from "../../../contract/channel/given-folder.ts";
import { type Group, mountTarget } from "../../../contract/channel/group.ts";
import { checkMount, type Mount } from "../../sandbox/mount-rules.ts";
import type { BashDeps } from "../bash-tool.ts";
import { type CommandSandbox, type CommandSandboxDeps, giveFolder, openCommandSandbox } from "./command-sandbox.ts";

export type GroupCommands = {
  /** What a command of the group is run with, or why none can be. */
  of(group: Group, workspace: string, own: BashDeps): Promise<BashDeps | { unavailable: string }>;
  close(): Promise<void>;
};

export function openGroupCommands(deps: CommandSandboxDeps): GroupCommands {
  const groups = new Map<string, { options: string; opening: Promise<CommandSandbox> }>();
  const left: Promise<CommandSandbox>[] = [];
  return {
    async of(group, workspace, own) {
      const options = JSON.stringify(group.options.sandbox);
      const known = groups.get(group.name);
      // a command may still run in the one of before
      if (known && known.options !== options) left.push(known.opening);
      const opening = known?.options === options ? known.opening : open(group, workspace);
      groups.set(group.name, { options, opening });
      const opened = await opening;
      if ("unavailable" in opened) {
        // what is missing now may be there for the next command
        groups.delete(group.name);
        return opened;
      }
      const { sandbox, proxy } = opened;
      return {
        ...own,
        ...{ sandbox, readDirs: [], writeDirs: [], ...foldersOf(group) },
        bashTimeoutMs: group.options.sandbox.timeoutSeconds * 1000,
        network: proxy ? { kind: "proxy", socketPath: proxy.socketPath } : { kind: "none" },
      };
    },
    async close() {
      for (const opening of [...left, ...[...groups.values()].map((one) => one.opening)]) await closeOne(opening);
    },
  };

  /** One that is away keeps nobody from running anything. */
  function foldersOf({ options }: Group): Pick<BashDeps, "mounts" | "missing"> {
    const places = { stewardHome: deps.home, userHome: deps.userHome };
    const mounts: Mount[] = [];
    const missing: string[] = [];
    for (const folder of options.sandbox.additionalMounts) {
      const why = whyAway((path) => checkMount(places, path), folder);
      if (why === undefined) mounts.push(mountOf(folder));
      else missing.push(why);
    }
    return { mounts, missing };
  }

  async function open(group: Group, workspace: string): Promise<CommandSandbox> {
    const { kind, image, allowedHosts, credentials } = group.options.sandbox;
    const wanted = kind === "auto" && deps.settings.kind !== "none" ? deps.settings.kind : kind;
    const allowed = new Set(credentials);
    const settings = {
      ...deps.settings,
      ...{ kind: wanted, image: image === "" ? deps.settings.image : image, readDirs: [], writeDirs: [], allowedHosts },
      // of the owner's keys only those that were given to this group
      credentials: Object.fromEntries(Object.entries(deps.settings.credentials).filter(([host]) => allowed.has(host))),
    };
    const own = { ...deps, settings, workspace, socketPath: socketOf(deps.socketPath, group) };
    const opened = await openCommandSandbox(own);
    giveFolder(opened, workspace);
    return opened;
  }

  async function closeOne(opening: Promise<CommandSandbox>): Promise<void> {
    const opened = await opening;
    if (!("sandbox" in opened)) return;
    await opened.sandbox.close?.();
    await opened.proxy?.close();
  }
}

// names of groups may be longer than what a socket's path has room for
function socketOf(socketPath: string, { name }: Group): string {
  return `${socketPath}.${createHash("sha256").update(name).digest("hex").slice(0, 8)}`;
}

function mountOf(mount: GivenFolder): Mount {
  return { source: mount.hostPath, target: mountTarget(mount), access: mount.readonly ? "read" : "write" };
}
