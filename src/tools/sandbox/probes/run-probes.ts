import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandEnd, type Sandbox, type SandboxCommand, type SandboxLimits, usualLimits } from "../sandbox.ts";
import { commandLineOf, endProcess } from "../start-process.ts";
import type { ProbeScene, RunProbe } from "./probe-scene.ts";

const megabyte = 1024 ** 2;

/** Probes of limits and sockets: each needs a command of its own, or a look from the host afterwards. */
export const runProbes: readonly RunProbe[] = [
  { name: "connect to a TCP port, an abstract socket and a path socket of the host", run: connectOut },
  { name: "use more memory than allowed", run: useMemory },
  { name: "start more processes than allowed", run: startProcesses },
  { name: "write more output than allowed", run: writeOutput },
  { name: "run longer than allowed", run: runLong },
  { name: "write a file larger than allowed", run: writeLargeFile },
  { name: "leave a process behind", run: leaveProcess },
  { name: "leave a file that other programs obey", run: leaveObeyed },
  { name: "see a secret file that is replaced meanwhile", run: seeReplaced },
];

// prints the kind of every connection that succeeded
const connector = `
const net = require("node:net");
const [tcpPort, abstractName, socketPath] = process.argv.slice(1);
const places = { tcp: { host: "127.0.0.1", port: +tcpPort }, abstract: { path: "\\0" + abstractName }, path: { path: socketPath } };
for (const [kind, place] of Object.entries(places)) {
  const socket = net.connect(place, () => { console.log("reached", kind); socket.destroy(); });
  socket.on("error", () => {});
}
console.log("tried");`;

async function connectOut(sandbox: Sandbox, scene: ProbeScene) {
  const { node, tcpPort, abstractName, socketPath } = scene;
  // one that the system brought is there already
  const readOnly = node.startsWith("/usr/") ? [] : [node];
  const argv = [node, "-e", connector, String(tcpPort), abstractName, socketPath] as const;
  const { text, end } = await collect(sandbox, scene.command(argv, { readOnly }));
  if (!text.includes("tried"))
    return { open: true, detail: `could not be tried: ${end.notStarted ?? text.slice(-300)}` };
  return { open: text.includes("reached"), detail: text.replace("tried", "").trim() };
}

async function useMemory(sandbox: Sandbox, scene: ProbeScene) {
  const wantedBytes = 320 * megabyte;
  // tail keeps the whole of a line that never ends
  const script = `head -c ${wantedBytes} /dev/zero | tail -n 1 | wc -c`;
  const { text } = await runScript(sandbox, scene, script, { wallMs: 20_000, memoryBytes: 64 * megabyte });
  const detail = `64 MB allowed, ${text.trim() || "nothing"} came through`;
  return { open: Number(text.trim()) >= wantedBytes, detail };
}

async function startProcesses(sandbox: Sandbox, scene: ProbeScene) {
  const limit = 24;
  const starting = "i=0; while [ $i -lt 60 ]; do (exec sleep 2) & i=$((i + 1)); done";
  const script = `(${starting}) 2>/dev/null; set -- /proc/[0-9]*; echo $#`;
  const { text } = await runScript(sandbox, scene, script, { wallMs: 20_000, processes: limit });
  const count = Number(text.trim() || Number.NaN);
  // an empty answer is a shell that could not even count any more
  return { open: count > limit + 8, detail: `${limit} allowed, ${Number.isNaN(count) ? "fork refused" : count} seen` };
}

async function writeOutput(sandbox: Sandbox, scene: ProbeScene) {
  const outputBytes = 64 * 1024;
  const { text, end } = await runScript(sandbox, scene, "yes | head -c 500000", { outputBytes });
  const detail = `${text.length} of ${end.outputBytes} bytes kept`;
  return { open: text.length > outputBytes || !end.outputCut, detail };
}

async function runLong(sandbox: Sandbox, scene: ProbeScene) {
  const { end } = await runScript(sandbox, scene, "trap '' TERM HUP INT; sleep 20", { wallMs: 300 });
  return { open: !end.timedOut || end.durationMs > 10_000, detail: `ended after ${Math.round(end.durationMs)} ms` };
}

async function writeLargeFile(sandbox: Sandbox, scene: ProbeScene) {
  const script = "head -c 4000000 /dev/zero > large; wc -c < large";
  const { text } = await runScript(sandbox, scene, script, { fileBytes: megabyte });
  return { open: Number(text.trim()) > megabyte, detail: `1 MB allowed, ${text.trim()} bytes written` };
}

async function leaveProcess(sandbox: Sandbox, scene: ProbeScene) {
  const mark = `${scene.secret}-left`;
  const leave = `setsid sh -c 'trap "" HUP TERM; sleep 30; :' ${mark} > /dev/null 2>&1 < /dev/null &`;
  // left behind on purpose, and seen from the host's own list of processes
  await collect(sandbox, scene.command(["/bin/sh", "-c", `${leave} sleep 0.2; exit 0`]));
  const left = processesWith(mark).map((pid) => ({ pid, state: stateOf(pid), line: commandLineOf(pid) }));
  for (const { pid } of left) endProcess(pid);
  return { open: left.length > 0, detail: left.map(({ state, line }) => `${state}: ${line}`).join("; ") };
}

async function leaveObeyed(sandbox: Sandbox, scene: ProbeScene) {
  const paths = ["left/.envrc", "left/.git/hooks/pre-commit", "left/bare/config"];
  const bare = "mkdir -p left/.git/hooks left/bare/objects left/bare/refs; echo x > left/bare/HEAD";
  const plant = `for path in ${paths.join(" ")}; do echo '[alias] x = !x' > $path; done`;
  await collect(sandbox, scene.command(["/bin/sh", "-c", `${bare}; ${plant}`]));
  const left = paths.filter((path) => existsSync(join(scene.workspace, path)));
  return { open: left.length > 0, detail: left.join(" ") };
}

async function seeReplaced(sandbox: Sandbox, scene: ProbeScene) {
  const secret = join(scene.workspace, ".env");
  const running = sandbox.run(scene.command(["/bin/sh", "-c", "echo begun; while :; do cat .env; done"]));
  let text = "";
  for await (const piece of running.output) {
    if (text === "") {
      writeFileSync(`${secret}.new`, `${scene.secret}\n`);
      renameSync(`${secret}.new`, secret);
    }
    text += piece.text;
  }
  await running.finished;
  return { open: text.includes(scene.secret), detail: "the new file was told" };
}

function runScript(sandbox: Sandbox, scene: ProbeScene, script: string, limits: Partial<SandboxLimits>) {
  return collect(sandbox, scene.command(["/bin/sh", "-c", script], { limits: { ...usualLimits, ...limits } }));
}

/** Of a process that has ended meanwhile: nothing. */
function stateOf(pid: number): string {
  try {
    return /^State:\t(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

function processesWith(mark: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLineOf(pid).includes(mark));
}

export async function collect(sandbox: Sandbox, command: SandboxCommand): Promise<{ text: string; end: CommandEnd }> {
  const running = sandbox.run(command);
  let text = "";
  for await (const piece of running.output) text += piece.text;
  return { text, end: await running.finished };
}
