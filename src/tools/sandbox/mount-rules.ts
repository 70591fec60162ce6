import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { underHome } from "../../contract/words/home-path.ts";

export type MountPlaces = {
  /** Steward's own folder: settings, keys, data, audit. */
  stewardHome: string;
  /** The person's home folder. */
  userHome: string;
};

export type Mount = { source: string; target: string; access: "read" | "write" };

export type CheckedMount = { kind: "allowed"; path: string } | { kind: "denied"; reason: string };

const systemPaths = [
  ...["/etc", "/proc", "/sys", "/dev", "/run", "/var/run", "/boot"],
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"],
  ...["/var/lib/docker", "/var/lib/containers", "/var/lib/containerd", "/var/spool", "/var/log"],
];
const homePaths = [
  ...[".ssh", ".aws", ".gnupg", ".config", ".kube", ".docker", ".azure", ".gcloud", ".pki", ".password-store"],
  ...[".mozilla", ".thunderbird", ".local/share/keyrings", ".local/share/containers", "Library"],
  ...[".netrc", ".npmrc", ".pypirc", ".git-credentials", ".bash_history", ".zsh_history", ".cargo/credentials.toml"],
];
const workspaceFolders = ["workspace", "groups"];

/** Whether a further folder may be shown to commands; judged by where it really is, links resolved. */
export function checkMount(places: MountPlaces, path: string): CheckedMount {
  const whole = underHome(path, places.userHome);
  return judge(places, whole, [realOf(places.stewardHome), realData(places), ...deniedPaths(places)]);
}

/** The workspace may lie in Steward's folder, in the two places made for it, but may never contain anything denied. */
export function checkWorkspace(places: MountPlaces, path: string): CheckedMount {
  const home = realOf(places.stewardHome);
  const allowed = workspaceFolders.map((name) => join(home, name));
  const real = realOf(path);
  if (real === join(home, "groups")) return denied(path, "it holds the folders of every group");
  const denials = allowed.some((folder) => contains(folder, real)) ? [realData(places)] : [home, realData(places)];
  return judge(places, path, [...denials, ...deniedPaths(places).filter((place) => !contains(place, home))]);
}

/** The data may lie on another disk, behind a link. */
function realData({ stewardHome }: MountPlaces): string {
  return realOf(join(stewardHome, "data"));
}

function deniedPaths(places: MountPlaces): string[] {
  const home = realOf(places.userHome);
  return [...systemPaths.map(realSystemPath), ...homePaths.map((name) => join(home, name))];
}

const realSystemPaths = new Map<string, string>();

/** Those that are there stay where they are, and every command asks. */
function realSystemPath(path: string): string {
  const real = realSystemPaths.get(path) ?? realIfThere(path);
  if (real === undefined) return realOf(path);
  realSystemPaths.set(path, real);
  return real;
}

function judge(places: MountPlaces, path: string, denials: readonly string[]): CheckedMount {
  if (!path.startsWith(sep)) return denied(path, "it is not an absolute path");
  const real = realOf(path);
  const file = statSync(real, { throwIfNoEntry: false });
  if (!file) return denied(path, "it does not exist");
  if (!file.isDirectory() && !file.isFile()) return denied(path, "it is neither a folder nor a file");
  if (real === sep) return denied(path, "it is the whole machine");
  if (real === realOf(places.userHome)) return denied(path, "it is the whole home folder");
  const touched = denials.find((denial) => contains(denial, real) || contains(real, denial));
  if (touched === undefined) return { kind: "allowed", path: real };
  return denied(path, contains(touched, real) ? `it lies in ${touched}` : `it contains ${touched}`);
}

function denied(path: string, why: string): CheckedMount {
  return { kind: "denied", reason: `${path} may not be shown to commands: ${why}.` };
}

/** With the separator: /w does not contain /w-other. */
export function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Links resolved as far as the path exists; what does not exist yet is where its nearest existing parent says. */
function realOf(path: string): string {
  const parent = dirname(path);
  return realIfThere(path) ?? (parent === path ? path : join(realOf(parent), path.slice(parent.length)));
}

function realIfThere(path: string): string | undefined {
  try {
    // asked first: for what is missing, an exception costs far more than a look
    return lstatSync(path, { throwIfNoEntry: false }) && realpathSync.native(path);
  } catch {
    // a link that leads nowhere, or a folder that may not be entered
    return undefined;
  }
}
