// When the heartbeat beats: counted from the beginning of the active hours, so that no restart moves it.
import { offsetMs } from "../schedule/zone.ts";
import { type ActiveHours, isActive } from "./active-hours.ts";

export type Rhythm = { intervalMs: number; hours: ActiveHours; timeZone: string };

// a whole number of minutes meets the first minute of the active hours again after at most so many steps
const mostSteps = 1_440 + 1;

/** The next time within the active hours. */
export function nextBeat(rhythm: Rhythm, afterMs: number): number {
  let atMs = nextTime(rhythm, afterMs);
  for (let step = 0; step < mostSteps && !isActive(rhythm.hours, rhythm.timeZone, atMs); step++)
    atMs = nextTime(rhythm, atMs);
  return atMs;
}

export function isBeatTime(rhythm: Rhythm, atMs: number): boolean {
  return nextTime(rhythm, atMs - 1) === atMs;
}

/** The first moment after this one at which a whole number of intervals lies behind, by the clocks on the wall. */
function nextTime({ intervalMs, hours, timeZone }: Rhythm, afterMs: number): number {
  const offset = offsetMs(timeZone, afterMs);
  const atMs = nextMultiple(intervalMs, hours.fromMs - offset, afterMs);
  const later = offsetMs(timeZone, atMs);
  if (later === offset) return atMs;
  // the clocks are changed before it comes: what counts is what they show then
  let changed = nextMultiple(intervalMs, hours.fromMs - later, afterMs);
  while (offsetMs(timeZone, changed) !== later) changed += intervalMs;
  return changed;
}

function nextMultiple(intervalMs: number, fromMs: number, afterMs: number): number {
  return fromMs + (Math.floor((afterMs - fromMs) / intervalMs) + 1) * intervalMs;
}
