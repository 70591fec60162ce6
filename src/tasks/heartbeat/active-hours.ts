// From when to when the heartbeat beats, by the clocks on the wall.
import { dayMs, hourMs, minuteMs, wallAt, wallDay } from "../schedule/zone.ts";

/** Since midnight; one that ends before it begins goes over midnight. */
export type ActiveHours = { fromMs: number; untilMs: number };

/** `8-21`, `22:30-6`, `0-24`: as the setting's own pattern lets through. */
export function readActiveHours(text: string): ActiveHours {
  const [from = 0, until = 0] = text.split("-").map(sinceMidnight);
  return { fromMs: from % dayMs, untilMs: until === 0 ? dayMs : until };
}

function sinceMidnight(time: string): number {
  const [hours = 0, minutes = 0] = time.trim().split(":").map(Number);
  return Math.min(hours * hourMs + minutes * minuteMs, dayMs);
}

/** The first minute belongs to it and the last does not; the same hour twice is the whole day. */
export function isActive({ fromMs, untilMs }: ActiveHours, timeZone: string, atMs: number): boolean {
  const wallMs = wallAt(timeZone, atMs);
  const timeMs = wallMs - wallDay(wallMs);
  return fromMs < untilMs ? timeMs >= fromMs && timeMs < untilMs : timeMs >= fromMs || timeMs < untilMs;
}

/** `from 8 to 21` */
export function hoursWords({ fromMs, untilMs }: ActiveHours): string {
  if (untilMs - fromMs === dayMs || untilMs === fromMs) return "around the clock";
  return `from ${timeWords(fromMs)} to ${timeWords(untilMs)}`;
}

function timeWords(sinceMidnightMs: number): string {
  const minutes = (sinceMidnightMs % hourMs) / minuteMs;
  const hours = Math.floor(sinceMidnightMs / hourMs);
  return minutes === 0 ? String(hours) : `${hours}:${String(minutes).padStart(2, "0")}`;
}
