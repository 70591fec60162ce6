import { addressGroup } from "./address-group.ts";

const windowMs = 60_000;
const allowedInWindow = 10;
const firstBlockMs = 60_000;
const longestBlockMs = 60 * 60_000;
const maxAddresses = 4_096;

type Failures = { windowStartMs: number; failures: number; blocks: number; blockedUntilMs: number };

/** Counts wrong tokens and codes by where they come from (brute force); this machine itself is no exception. */
export function openFailureLimit(deps: { nowMs(): number; onBlocked(address: string): void }) {
  const records = new Map<string, Failures>();
  return {
    /** How long this address must wait; 0 when it need not. */
    waitMs: (address: string) => Math.max(0, (records.get(addressGroup(address))?.blockedUntilMs ?? 0) - deps.nowMs()),
    count(address: string): void {
      const group = addressGroup(address);
      const record = current(group);
      record.failures += 1;
      if (record.failures < allowedInWindow) return;
      record.blockedUntilMs = deps.nowMs() + Math.min(firstBlockMs * 2 ** record.blocks, longestBlockMs);
      record.blocks += 1;
      record.failures = 0;
      deps.onBlocked(group);
    },
  };

  function current(group: string): Failures {
    const nowMs = deps.nowMs();
    const known = records.get(group) ?? { windowStartMs: nowMs, failures: 0, blocks: 0, blockedUntilMs: 0 };
    if (nowMs - known.windowStartMs >= windowMs) {
      if (nowMs - Math.max(known.windowStartMs, known.blockedUntilMs) >= longestBlockMs) known.blocks = 0;
      known.windowStartMs = nowMs;
      known.failures = 0;
    }
    // written anew, so that the first one in the table is the one that has been quiet for longest
    records.delete(group);
    records.set(group, known);
    const [quietest] = records.keys();
    if (quietest !== undefined && records.size > maxAddresses) records.delete(quietest);
    return known;
  }
}
