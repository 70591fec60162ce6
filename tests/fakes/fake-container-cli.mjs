#!/usr/bin/env node
// Speaks the command line of docker, podman and Apple's container as far as Steward uses it: `run` starts the command
// on this machine, `rm` and `delete` end it. Every call is kept, one JSON line each, in calls.jsonl beside this file.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
const words = process.argv.slice(2);
appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(words)}\n`);

const flags = new Set(["--rm", "--interactive", "--read-only", "--no-dns"]);
const [verb, ...rest] = words[0] === "--runtime" ? words.slice(2) : words;

if (verb === "image") process.exit(rest[1] === "missing:1" ? fail("no such image: missing:1", 1) : 0);
else if (verb === "ps" || verb === "list") console.log(containers().join("\n"));
else if (verb === "rm" || verb === "delete") rest.filter((word) => !word.startsWith("-")).forEach(remove);
else if (verb === "run") run(rest);
else fail(`unknown command: ${verb}`, 125);

function run(args) {
  const options = new Map();
  let at = 0;
  for (; args[at]?.startsWith("-"); at += flags.has(args[at]) ? 1 : 2) options.set(args[at], args[at + 1]);
  const image = args[at];
  if (image === "broken:1") fail("Error: short-name did not resolve", 125);
  const entrypoint = options.get("--entrypoint");
  const [file, ...more] = [...(entrypoint ? [entrypoint] : []), ...args.slice(at + 1)];
  const child = spawn(file, more, { stdio: "inherit", cwd: options.get("--workdir"), detached: true });
  writeFileSync(join(folder, `${options.get("--name")}.container`), String(child.pid));
  child.on("exit", (code, signal) => {
    rmSync(join(folder, `${options.get("--name")}.container`), { force: true });
    process.exit(signal ? 137 : code);
  });
}

function containers() {
  return readdirSync(folder).flatMap((name) => (name.endsWith(".container") ? [name.slice(0, -10)] : []));
}

function remove(name) {
  const file = join(folder, `${name}.container`);
  if (!existsSync(file)) return fail(`no such container: ${name}`, 1);
  const pid = Number(readFileSync(file, "utf8"));
  rmSync(file);
  if (pid > 0) process.kill(-pid, "SIGKILL");
}

function fail(message, code) {
  console.error(message);
  process.exit(code);
}
