// Codes by which somebody new is let in: made for the owner, written to the bot by whoever shall speak as the owner there.
import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { loadOnce } from "../../contract/room/load-once.ts";

export type Pairing = {
  /** The oldest one goes when there are too many. `channel` null: it holds on all of them. */
  create(channel: string | null): Promise<{ code: string; channel: string | null; expiresAtMs: number }>;
  /** The code in these words, if it is open, in time and for this channel. Whoever guesses too often is not heard for a while. */
  find(channel: string, person: string, text: string): Promise<FoundCode | undefined>;
  open(): Promise<number>;
  forget(): Promise<void>;
};

/** Nobody else finds it meanwhile; it is given back if whoever brought it could not be let in. */
export type FoundCode = { giveBack(): Promise<void> };

const lifetimeMs = 3_600_000;
const mostOpen = 3;
// no letters that look like others
const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const length = 8;
const mostGuesses = 5;
// a crowd must not be able to lock the owner out, and would have to guess a million million times
const mostGuessesOfAll = 10_000;
const mostGuessers = 1_000;

const Kept = z.array(z.object({ digest: z.string(), channel: z.string().nullable(), expiresAtMs: z.number() }));
type Code = z.infer<typeof Kept>[number];

export type PairingDeps = {
  nowMs(): number;
  /** Over a restart; of a code only its digest is kept. */
  recall(): Promise<string | undefined>;
  remember(value: string): Promise<void>;
};

export function openPairing({ nowMs, recall, remember }: PairingDeps): Pairing {
  let codes: readonly Code[] = [];
  const load = loadOnce(async () => {
    const kept = await recall();
    codes = kept === undefined ? [] : Kept.parse(JSON.parse(kept));
  });
  const guesses = new Map<string, { count: number; untilMs: number }>();
  return {
    async create(channel) {
      await load();
      const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
      const expiresAtMs = nowMs() + lifetimeMs;
      await keep([...stillOpen().slice(-(mostOpen - 1)), { digest: digestOf(code), channel, expiresAtMs }]);
      return { code, channel, expiresAtMs };
    },
    async find(channel, person, text) {
      await load();
      const code = readCode(text);
      const isHeard = () => mayGuess(`${channel} ${person}`, mostGuesses) && mayGuess("all", mostGuessesOfAll);
      if (code === undefined || stillOpen().length === 0 || !isHeard()) return undefined;
      const digest = Buffer.from(digestOf(code));
      const found = stillOpen().find(
        (open) =>
          timingSafeEqual(Buffer.from(open.digest), digest) && (open.channel === null || open.channel === channel),
      );
      if (!found) return undefined;
      // ended on disk before anybody is let in by it
      await keep(stillOpen().filter((open) => open !== found));
      return { giveBack: () => keep([...stillOpen(), found]) };
    },
    async open() {
      await load();
      return stillOpen().length;
    },
    forget: () => keep([]),
  };

  function stillOpen(): readonly Code[] {
    return codes.filter(({ expiresAtMs }) => expiresAtMs > nowMs());
  }

  async function keep(next: readonly Code[]): Promise<void> {
    codes = next;
    await remember(JSON.stringify(next));
  }

  function mayGuess(who: string, most: number): boolean {
    const known = guesses.get(who);
    const counted = known && known.untilMs > nowMs() ? known : { count: 0, untilMs: nowMs() + lifetimeMs };
    counted.count += 1;
    guesses.delete(who);
    guesses.set(who, counted);
    const [oldest] = guesses.keys();
    if (oldest !== undefined && guesses.size > mostGuessers) guesses.delete(oldest);
    return counted.count <= most;
  }
}

/** `ABCD-EFGH`, `/start abcdefgh` and the like; undefined: these are other words. */
function readCode(text: string): string | undefined {
  const code = text
    .replace(/^\/(?:start|pair)\b/i, "")
    .replace(/[\s-]/g, "")
    .toUpperCase();
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}

function digestOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
