// The sandbox in which commands run, just tried out, and the way to the network beside it; or the line that says why there is none.
import { tmpdir } from "node:os";
import type { Settings } from "../../../contract/settings.ts";
import type { World } from "../../../contract/world.ts";
import { giveToOwner, ownerForCommands } from "../../programs/workspace-owner.ts";
import type { SandboxDeps } from "../../sandbox/choose-sandbox.ts";
import type { CheckedHost, EgressProxy } from "../../sandbox/egress/egress-proxy.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

export type CommandSandboxDeps = {
  settings: Settings["sandbox"];
  home: string;
  userHome: string;
  workspace: string;
  /** Short, in a folder of Steward's own. */
  socketPath: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Told of keys that a command may have read, to be masked wherever they turn up. */
  hideValues(values: readonly string[]): void;
  redact(text: string): string;
  resolveChecked(host: string, port: number, signal: AbortSignal): Promise<CheckedHost>;
  world: World;
  onTrouble(message: string, cause: unknown): void;
};

export type CommandSandbox = { sandbox: Sandbox; proxy: EgressProxy | undefined } | { unavailable: string };

export async function openCommandSandbox(deps: CommandSandboxDeps): Promise<CommandSandbox> {
  try {
    const { chooseSandbox } = await import("../../sandbox/choose-sandbox.ts");
    const chosen = await chooseSandbox(sandboxDeps(deps));
    if ("unavailable" in chosen) return chosen;
    return { sandbox: chosen.sandbox, proxy: await openProxy(deps) };
  } catch (cause) {
    // whatever breaks here, commands stay off rather than run without the box
    deps.onTrouble("The sandbox could not be tried out.", cause);
    return { unavailable: 'The sandbox could not be tried out. Commands are off; "steward doctor" says more.' };
  }
}

/** What the sandbox is chosen by; the doctor tries it out by the same. */
export function sandboxDeps(
  deps: Pick<CommandSandboxDeps, "settings" | "home" | "userHome" | "environment" | "world" | "hideValues" | "redact">,
): SandboxDeps {
  // not by name: not every user has one
  const ownUser = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const names = ["HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] as const;
  const launchEnvironment = Object.fromEntries(
    names.flatMap((name) => (deps.environment[name] === undefined ? [] : [[name, deps.environment[name]]])),
  );
  return {
    settings: deps.settings,
    platform: process.platform,
    ownUser,
    places: { stewardHome: deps.home, userHome: deps.userHome },
    temporaryFolder: tmpdir(),
    node: process.execPath,
    launchEnvironment,
    newId: () => deps.world.newId("box"),
    hideValues: deps.hideValues,
    redact: deps.redact,
  };
}

async function openProxy(deps: CommandSandboxDeps): Promise<EgressProxy | undefined> {
  const { allowedHosts, credentials } = deps.settings;
  if (allowedHosts.length === 0) return undefined;
  const { openEgressProxy } = await import("../../sandbox/egress/egress-proxy.ts");
  const isRoot = process.getuid?.() === 0;
  return openEgressProxy({
    socketPath: deps.socketPath,
    allow: allowedHosts,
    resolveChecked: deps.resolveChecked,
    credentials: Object.fromEntries(
      Object.entries(credentials).map(([host, { header, valueEnv }]) => [
        host,
        { [header]: deps.environment[valueEnv] ?? "" },
      ]),
    ),
    ...(isRoot && { user: ownerForCommands(deps.workspace) }),
  });
}

/** Before anything is written there: later it would look like a change of every file. */
export function giveFolder(opened: CommandSandbox, workspace: string): void {
  if ("sandbox" in opened && opened.sandbox.name === "bwrap" && process.getuid?.() === 0)
    giveToOwner(workspace, ownerForCommands(workspace));
}
