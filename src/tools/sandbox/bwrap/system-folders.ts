import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";

export type SystemEntry = { kind: "folder"; path: string } | { kind: "link"; path: string; target: string };

const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];

// what programs need to start, to tell the time and to check certificates; no host secrets, no list of users
const etcEntries = [
  "/etc/ld.so.cache",
  "/etc/alternatives",
  "/etc/ssl/openssl.cnf",
  "/etc/crypto-policies",
  "/etc/localtime",
  "/etc/os-release",
  "/etc/fonts",
];

const certificates = [
  "/etc/ssl/certs",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust/extracted",
  "/etc/ca-certificates/extracted",
];

/** Every mount costs time, and without a network nobody shows a certificate. */
export function isForNetwork(entry: SystemEntry): boolean {
  return certificates.includes(entry.path);
}

/** Covered in every box: their names of keys are the person's own, of this session and others. */
export function findCoveredFiles(): string[] {
  return ["/proc/keys"].filter((path) => existsSync(path));
}

/** The parts of this system that a command may read, as they are laid out here. */
export function findSystemEntries(): SystemEntry[] {
  return [...folders, ...etcEntries, ...certificates].flatMap((path): SystemEntry[] => {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    // a link that leads nowhere would stop bwrap
    if (!entry || !existsSync(path)) return [];
    if (!entry.isSymbolicLink()) return [{ kind: "folder", path }];
    const target = readlinkSync(path);
    const staysInside = resolve(dirname(path), target).startsWith("/usr/");
    return staysInside ? [{ kind: "link", path, target }] : [{ kind: "folder", path }];
  });
}
