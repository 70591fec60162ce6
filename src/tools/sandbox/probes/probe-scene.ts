import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import type { UserIds } from "../../programs/workspace-owner.ts";
import { type Sandbox, type SandboxCommand, usualLimits } from "../sandbox.ts";

export type ProbeDeps = {
  /** A folder in which the scene is built and removed again. */
  folder: string;
  /** The program that runs Steward, which tries the sockets from inside. */
  node: string;
  /** Whom commands run as, where Steward is root. */
  user?: UserIds;
};

export type ProbeScene = Awaited<ReturnType<typeof openProbeScene>>;

/** Baits on the host that the commands' user may touch by every right but the sandbox's. */
export async function openProbeScene(deps: ProbeDeps) {
  const base = await mkdtemp(join(deps.folder, "probe-"));
  await chmod(base, 0o755);
  // occurs in everything that must stay out of reach
  const secret = `bait-${randomBytes(8).toString("hex")}`;
  const places = await layOut(base, secret, deps.user);
  const victimOptions = { stdio: "ignore", env: { BAIT: secret }, ...deps.user } as const;
  const victim = spawn("/bin/sh", ["-c", "sleep 600; :", secret], victimOptions);
  const tcp = await listen(createServer(hangUp), { host: "127.0.0.1", port: 0 });
  const abstractName = `steward-${secret}`;
  const abstract = await listen(createServer(hangUp), { path: `\0${abstractName}` });
  const socketPath = join(places.outside, "s");
  const path = await listen(createServer(hangUp), { path: socketPath });
  await chmod(socketPath, 0o777);
  return {
    ...{ ...places, secret, socketPath, abstractName, node: deps.node },
    victimPid: victim.pid ?? 0,
    tcpPort: (tcp.address() as AddressInfo).port,
    command: (argv: SandboxCommand["argv"], change?: Partial<SandboxCommand>): SandboxCommand => ({
      ...plainCommand(places.workspace, argv),
      ...change,
    }),
    close: () => close(base, victim, [tcp, abstract, path]),
  };
}

async function layOut(base: string, secret: string, user: ProbeDeps["user"]) {
  const stewardHome = join(base, "steward");
  const workspace = join(stewardHome, "workspace");
  const outside = join(base, "outside");
  const secretFile = join(outside, "secret.txt");
  await mkdir(join(workspace, ".git", "hooks"), { recursive: true });
  await mkdir(join(workspace, "below", "again", ".git", "hooks"), { recursive: true });
  await mkdir(outside);
  const baits = [
    secretFile,
    ...["config.json", "auth.json"].map((name) => join(stewardHome, name)),
    ...[".env", "AGENTS.md", ".git/config", ".git/HEAD"].map((name) => join(workspace, name)),
    ...[".env", ".npmrc", ".git/config", ".git/HEAD"].map((name) => join(workspace, "below", "again", name)),
  ];
  for (const bait of baits) await writeFile(bait, `${secret}\n`, { mode: 0o644 });
  await symlink(join("..", "..", "outside", "secret.txt"), join(workspace, "link-out"));
  if (user) for (const path of [outside, ...baits]) await chown(path, user.uid, user.gid);
  return { stewardHome, workspace, outside, secretFile };
}

function plainCommand(workspace: string, argv: SandboxCommand["argv"]): SandboxCommand {
  return {
    argv,
    cwd: workspace,
    workspace,
    readOnly: [],
    writable: [],
    environment: {},
    network: { kind: "none" },
    limits: { ...usualLimits, wallMs: 20_000 },
    signal: new AbortController().signal,
  };
}

function hangUp(socket: { end(): void; on(event: "error", listener: () => void): void }): void {
  // whoever connects is let go at once; the connection itself was the finding
  socket.on("error", () => {});
  socket.end();
}

function listen(server: Server, place: { host: string; port: number } | { path: string }): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve(server));
  });
}

async function close(base: string, victim: ChildProcess, servers: readonly Server[]): Promise<void> {
  victim.kill("SIGKILL");
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  // a box that is being made ahead may put its stand-ins there once more
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
}

/** Open: what should have failed worked, or what should have worked failed. */
export type ProbeResult = { name: string; open: boolean; detail: string };

/** A few lines of sh that succeed when the guard has a hole. */
export type ScriptProbe = {
  name: string;
  script(scene: ProbeScene): string;
  /** The sandbox that closes this way itself; in others it is up to the container program. */
  only?: Sandbox["name"];
};

/** A probe that needs a command of its own, or a look from the host. */
export type RunProbe = { name: string; run(sandbox: Sandbox, scene: ProbeScene): Promise<Omit<ProbeResult, "name">> };
