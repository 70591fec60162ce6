// A Steward of its own process and user: chooses the sandbox as Steward does, runs the whole battery, prints JSON.
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [sources = "", folder = tmpdir()] = process.argv.slice(2);
const load = (file: string) => import(pathToFileURL(join(sources, "tools", file)).href);
const { chooseSandbox } = await load("sandbox/choose-sandbox.ts");
const { runProbeBattery } = await load("sandbox/probe-battery.ts");
const { sandboxUser } = await load("programs/workspace-owner.ts");

const uid = process.getuid?.() ?? -1;
const started = performance.now();
const chosen = await chooseSandbox({
  settings: { kind: "auto", image: "", runtime: null, cpus: 1 },
  platform: process.platform,
  ownUser: { uid, gid: process.getgid?.() ?? -1 },
  places: { stewardHome: join(folder, "steward"), userHome: homedir() },
  temporaryFolder: folder,
  node: process.execPath,
  launchEnvironment: {},
  newId: () => Math.random().toString(36).slice(2, 10),
  hideValues: () => {},
});
const choosingMs = performance.now() - started;
const results = chosen.sandbox
  ? await runProbeBattery(
      { folder, node: process.execPath, ...(uid === 0 ? { user: sandboxUser } : {}) },
      chosen.sandbox,
      "all",
    )
  : [];
console.log(
  JSON.stringify({
    uid,
    choosingMs,
    unavailable: chosen.unavailable ?? null,
    describe: chosen.sandbox?.describe() ?? "",
    results,
  }),
);
