import { readdirSync, readFileSync } from "node:fs";

const closesOnExec = 0o2000000;

/**
 * Descriptors that whoever started Steward left open and that every child would get. Node closes those below about
 * sixteen by itself; an open folder among the others would be a way out of any sandbox.
 */
export function findInheritableDescriptors(folder = "/proc/self/fdinfo"): number[] {
  return readdirSync(folder)
    .map(Number)
    .filter((descriptor) => descriptor > 2 && isInheritable(`${folder}/${descriptor}`));
}

function isInheritable(file: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(file, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
  } catch {
    // the descriptor by which the folder was read is already closed
    return false;
  }
}
