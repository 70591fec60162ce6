// Programs for the tests that this Debian does not have yet: taken from the next one, checked by the same keys, and laid into
// node_modules, so that nothing of the system changes. Needs no root.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const suite = "trixie";
const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";

/** Where the files of a package lie that was fetched. */
function toolFolder(root, name) {
  return join(root, "node_modules", ".steward-tools", name);
}

/** Returns nothing, or why it could not be had. */
export function fetchNewerPackage(root, name) {
  const folder = toolFolder(root, name);
  if (existsSync(folder)) return undefined;
  const mirror = debianMirror();
  if (!mirror) return "this is no Debian, or its sources are not to be found";
  const work = `${folder}.fetching`;
  rmSync(work, { recursive: true, force: true });
  for (const part of ["state/lists/partial", "cache/archives/partial"])
    mkdirSync(join(work, part), { recursive: true });
  writeFileSync(join(work, "sources.list"), `deb [signed-by=${keys}] ${mirror} ${suite} main\n`);
  const failure = apt(work, ["update"]) ?? apt(work, ["download", name]) ?? unpack(work, folder);
  rmSync(work, { recursive: true, force: true });
  return failure;
}

/** Where this system has its own packages from. */
function debianMirror() {
  const folder = "/etc/apt/sources.list.d";
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const words = ["/etc/apt/sources.list", ...lists]
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, "utf8").split("\n"))
    .filter((line) => /^(?:deb|URIs:)\s/.test(line))
    .flatMap((line) => line.split(/\s+/));
  return words.find((word) => /^https?:\/\/\S+\/debian\/?$/.test(word));
}

function apt(work, args) {
  const places = {
    "Dir::Etc::SourceList": join(work, "sources.list"),
    "Dir::Etc::SourceParts": "/dev/null",
    "Dir::State": join(work, "state"),
    "Dir::State::status": "/var/lib/dpkg/status",
    "Dir::Cache": join(work, "cache"),
    "APT::Sandbox::User": "root",
  };
  const options = Object.entries(places).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return run("apt-get", ["-q", ...options, ...args], work);
}

function unpack(work, folder) {
  const found = readdirSync(work).find((name) => name.endsWith(".deb"));
  return found ? run("dpkg-deb", ["-x", join(work, found), folder], work) : "nothing was downloaded";
}

function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  return status === 0 ? undefined : `${program}: ${error?.message ?? stderr.trim()}`;
}
