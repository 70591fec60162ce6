// How much the members of a group may put on the owner's disk: what lies in the folder for it, and what one day brings.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../contract/failure.ts";

const mostMb = 500;
// many small ones fill a disk too
const leastCounted = 16 * 1024;

export type GroupQuota = {
  /** Why so many bytes more are not kept; undefined: there is room. */
  refusal(group: string, folder: string, bytes: number): Promise<string | undefined>;
  /** They are kept. What is thrown away again afterwards still lies with what was said. */
  add(group: string, bytes: number): void;
};

export function openGroupQuota({ nowMs }: { nowMs(): number }): GroupQuota {
  let day = dayOf(nowMs());
  const brought = new Map<string, number>();
  return {
    async refusal(group, folder, bytes) {
      if ((await sizeOf(folder)) + countedAs(bytes) > mostMb * 1024 * 1024)
        return `the group's folder incoming/ is full (${mostMb} MB). Delete some of it.`;
      if (broughtToday(group) + countedAs(bytes) > mostMb * 1024 * 1024)
        return `the group has brought ${mostMb} MB today already. Send it tomorrow.`;
      return undefined;
    },
    add: (group, bytes) => void brought.set(group, broughtToday(group) + countedAs(bytes)),
  };

  function broughtToday(group: string): number {
    const today = dayOf(nowMs());
    if (today !== day) brought.clear();
    day = today;
    return brought.get(group) ?? 0;
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch((cause) => {
    if (codeOf(cause) === "ENOENT") return [];
    throw cause;
  });
  let bytes = 0;
  // one that goes meanwhile takes no room any more
  for (const name of names) bytes += countedAs((await lstat(join(folder, name)).catch(() => ({ size: 0 }))).size);
  return bytes;
}

function countedAs(bytes: number): number {
  return Math.max(bytes, leastCounted);
}

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000);
}
