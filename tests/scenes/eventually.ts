import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * Looks again and again until it sees what is wanted, and returns what it saw: a value, what a matcher of `expect` takes,
 * or simply true. A look that throws has not seen it yet. The limit is for a machine with much else to do.
 */
export async function eventually<Seen>(
  look: () => Seen | Promise<Seen>,
  wanted: unknown = true,
  limitMs = 60_000,
): Promise<NonNullable<Seen>> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    try {
      const seen = await look();
      expect(seen, `waited for ${look}`).toEqual(wanted);
      return seen as NonNullable<Seen>;
    } catch (cause) {
      if (performance.now() > endMs) throw cause;
    }
    await sleep(10);
  }
}
