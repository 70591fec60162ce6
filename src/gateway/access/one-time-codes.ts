import { hashSecret, newCode } from "./secret.ts";

const lifetimeMs = 10 * 60_000;
const maxOpen = 20;

/** Codes live in this process only: a restart forgets them, and nobody finds one on a disk. */
export function openOneTimeCodes(deps: { nowMs(): number }) {
  // by hash, so that looking one up says nothing about how near a guess came
  const open = new Map<string, number>();
  return {
    create(): { code: string; expiresAtMs: number } {
      for (const [hash, expiresAtMs] of open) if (expiresAtMs <= deps.nowMs()) open.delete(hash);
      // the newest wish counts: the owner has probably lost sight of the oldest one
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= maxOpen) open.delete(oldest);
      const code = newCode();
      const expiresAtMs = deps.nowMs() + lifetimeMs;
      open.set(hashSecret(code), expiresAtMs);
      return { code, expiresAtMs };
    },
    /** True once, and only in time. */
    take(code: string): boolean {
      const hash = hashSecret(code);
      const expiresAtMs = open.get(hash);
      open.delete(hash);
      return expiresAtMs !== undefined && expiresAtMs > deps.nowMs();
    },
  };
}
