// The filter of system calls in this machine's real box: what everyday programs need goes on working, the rest does not.
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bwrapWith, runToEnd } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";

async function run(script: string, files: Readonly<Record<string, string | Buffer>> = {}) {
  const scene = await sandboxScene();
  for (const [name, content] of Object.entries(files))
    await writeFile(join(scene.workspace, name), content, { mode: 0o755 });
  const readOnly = process.execPath.startsWith("/usr/") ? [] : [process.execPath];
  return runToEnd(await bwrapWith(scene.stewardHome), scene.command(script, { readOnly }));
}

const python = `
import threading, subprocess, multiprocessing, socket, concurrent.futures
threading.Thread(target=lambda: print("thread")).start()
print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
fork = multiprocessing.get_context("fork")
queue = fork.Queue()
process = fork.Process(target=queue.put, args=("process",))
process.start()
print(queue.get())
process.join()
with concurrent.futures.ProcessPoolExecutor(2) as pool:
    print(sum(pool.map(abs, [-1, -2])))
socket.socket().bind(("127.0.0.1", 0))
`;
const node = `
const { Worker } = require("node:worker_threads");
const { execSync } = require("node:child_process");
new Worker('require("node:fs").readdirSync("/"); console.log("worker")', { eval: true });
console.log(execSync("echo child").toString().trim());
console.log(Object.keys(require("node:os").networkInterfaces()).join());
require("node:fs").promises.readFile("/etc/passwd").then(() => console.log("read"));
`;
const git = `mkdir p && cd p && git init -q . && git config user.email a@b && git config user.name a && echo x > x && git add x &&
git commit -qm one && git gc -q && git log --format=%s`;
const programs = [
  {
    file: process.execPath,
    script: `UV_USE_IO_URING=1 ${process.execPath} node.js | sort | xargs`,
    says: "child lo read worker",
  },
  { file: "/usr/bin/python3", script: "python3 python.py | sort | xargs", says: "3 child process thread" },
  { file: "/usr/bin/git", script: git, says: "one" },
  {
    file: "/usr/bin/gcc",
    script: "echo 'int main(){return 0;}' > a.c && gcc a.c -o a && ./a && echo built",
    says: "built",
  },
  {
    file: "/usr/bin/sqlite3",
    script: "sqlite3 t.db 'create table t(a); insert into t values(7); select a from t'",
    says: "7",
  },
  { file: "/usr/bin/sort", script: "seq 1 99999 | sort --parallel=4 -S 1M -rn | head -1", says: "99999" },
  { file: "/usr/bin/tar", script: "echo x > x && tar czf x.tgz x && rm x && tar xzf x.tgz && cat x", says: "x" },
  { file: "/usr/bin/curl", script: "curl -s http://127.0.0.1:1/; echo $?", says: "7" },
  { file: "/usr/bin/xz", script: "echo x > x && xz -T2 x && xz -dc x.xz", says: "x" },
  { file: "/usr/bin/script", script: "script -qc 'echo typed' /dev/null | tr -d '\\r'", says: "typed" },
].filter(({ file }) => existsSync(file));

test.each(programs)("$file works in the box", async ({ script, says }) => {
  const { text } = await run(script, { "node.js": node, "python.py": python });
  expect(text.trim()).toBe(says);
});

const perl = (code: string) => `perl -e '${code}'`;
// number, then what is asked for: a family of sockets and a protocol
const sockets = [
  ["AF_ALG", 38, 5, 0],
  ["AF_VSOCK", 40, 1, 0],
  ["AF_PACKET", 17, 3, 0],
  ["AF_KEY", 15, 3, 2],
  ["AF_BLUETOOTH", 31, 3, 1],
  ["AF_TIPC", 30, 5, 0],
  ["AF_XDP", 44, 3, 0],
  ["netlink for netfilter", 16, 3, 12],
  ["netlink for generic use", 16, 3, 16],
] as const;

test.each(sockets)("a socket of %s cannot be opened", async (_name, family, type, protocol) => {
  const { text } = await run(perl(`socket(my $s, ${family}, ${type}, ${protocol}) and print "open"; print $!+0`));
  expect(text).toBe("97");
});

test("nothing can be typed into a terminal, not even the command's own", async () => {
  // 0x5412 is TIOCSTI; the padded one is the same request for the kernel
  const attack =
    'open(my $t, "+<", "/dev/tty") or die; for (0x5412, 0x5412 | (1 << 32)) { my $c = "x"; ioctl($t, $_, $c); print $!+0, " " }';
  const { text } = await run(`script -qc "perl attack.pl" /dev/null`, { "attack.pl": attack });
  expect(text.trim()).toBe("1 1");
});

test("a process of its own cannot be traced or read, and its descriptors cannot be taken", async () => {
  const [ptrace, read, take, open] = process.arch === "arm64" ? [117, 270, 438, 434] : [101, 310, 438, 434];
  const { text } = await run(
    `sleep 5 & ${perl(
      `my $p = ${"$"}ARGV[0]; syscall(${ptrace}, 16, $p, 0, 0); print $!+0, " "; syscall(${read}, $p, 0, 0, 0, 0, 0); print $!+0, " "; ` +
        `my $f = syscall(${open}, 1, 0); syscall(${take}, $f, 0, 0); print $!+0`,
    )} $!`,
  );
  expect(text).toBe("1 1 1");
});

// a file of the old architecture's calls: getpid by int 0x80, then exit(0) by syscall
const oldCalls = Buffer.concat([
  Buffer.from("7f454c4602010100000000000000000002003e0001000000", "hex"),
  Buffer.from(
    "7800400000000000400000000000000000000000000000000000000040003800010000000000000001000000050000000000000000000000",
    "hex",
  ),
  Buffer.from("00004000000000000000400000000000", "hex"),
  Buffer.from("8800000000000000880000000000000000100000000000" + "00", "hex"),
  Buffer.from("b814000000cd80b83c00000031ff0f05", "hex"),
]);

if (process.arch === "x64")
  test("a program that calls the kernel by its old 32-bit way is ended", async () => {
    const { text } = await run("./old; echo $?", { old: oldCalls });
    expect(text.trim().split("\n").at(-1)).toBe(String(128 + 31));
  });
