// `npm run bench`: every measurement one after the other, or those named: `npm run bench -- start`.
// `npm run bench -- --peer openclaw`: ours beside a peer's; not part of the rest, because the peer is installed for it.
// `npm run bench:memory -- --data FILE`: what the memory finds; not part of the rest, because the data is none of the project's.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";

const ending = ".bench.ts";
const peers = { openclaw: new URL("../bench/openclaw.ts", import.meta.url) };
const memorySearch = new URL("../bench/memory-search.ts", import.meta.url);

refuseOldNode();
await ensureInstalled(projectRoot);

const all = readdirSync(join(projectRoot, "bench")).filter((file) => file.endsWith(ending));
const names = all.map((file) => file.slice(0, -ending.length)).sort();
const [flag, peer, ...peerArgs] = process.argv.slice(2);
if (flag === "--peer") process.exit(await runPeer(peer, peerArgs));
if (flag === "--memory-search") process.exit(await runScript(memorySearch, process.argv.slice(3)));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0 || names.length === 0) {
  console.error(
    `There is no bench called ${unknown.join(", ") || "anything"}. There are: ${names.join(", ") || "none"}.`,
  );
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n${name}`);
  const exitCode = await runPinned(projectRoot, [`bench/${name}${ending}`], { cwd: projectRoot });
  if (exitCode !== 0) process.exitCode = 1;
}

async function runPeer(name, args) {
  if (name === undefined || !Object.hasOwn(peers, name)) {
    console.error(`There is no peer called ${name ?? "nothing"}. There are: ${Object.keys(peers).join(", ")}.`);
    return 1;
  }
  return runScript(peers[name], args);
}

function runScript(url, args) {
  return runPinned(projectRoot, [relative(projectRoot, fileURLToPath(url)), ...args], { cwd: projectRoot });
}
