// A registry copy may lack the builds of optional packages for other systems; npm then leaves them out of the lock file, and
// `npm ci` refuses that lock file everywhere. This puts them back by name and version, so that each system gets its own.
// Run it after every `npm install` that changes package-lock.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project-root.mjs";

const path = join(projectRoot, "package-lock.json");
const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32", "sunos", "openbsd", "netbsd", "aix"];
const processors = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "wasm32"];

const lock = JSON.parse(readFileSync(path, "utf8"));
let added = 0;
for (const [place, found] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(found.optionalDependencies ?? {})) {
    const own = `node_modules/${name}`;
    if (lock.packages[own] || lock.packages[`${place}/${own}`]) continue;
    const parts = name.split(/[-/]/);
    const os = systems.filter((system) => parts.includes(system));
    const cpu = processors.filter((processor) => parts.includes(processor));
    lock.packages[own] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(found.dev && { dev: true }),
      license: found.license,
      optional: true,
      ...(os.length > 0 && { os }),
      ...(parts.includes("musl") && { libc: ["musl"] }),
    };
    added += 1;
  }
}
const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`lock file: ${added} builds for other systems added`);
