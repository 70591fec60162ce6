import { lstat, unlink } from "node:fs/promises";
import { ifThere } from "./refusal.ts";

/** Answers whether it was removed; what somebody else has just renamed or removed was not. */
export async function removeIfOlder(path: string, beforeMs: number): Promise<boolean> {
  const stats = await ifThere(lstat(path));
  if (!stats || stats.mtimeMs >= beforeMs) return false;
  return (await ifThere(unlink(path).then(() => true))) ?? false;
}
