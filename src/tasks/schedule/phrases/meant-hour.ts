import type { Clock, DayPart } from "./find-clock.ts";

// People who say "at six" mean an hour at which somebody is up.
const firstHourUp = 6;
const lastHourUp = 23;

/** The hour that is meant on a day that is named, or on every day: one to six are in the afternoon. */
export function meantHour(clock: Clock, part?: DayPart): number {
  if (!clock.isOpen) return clock.hour;
  if (part) return hourInPart(clock.hour, part);
  return clock.hour <= 6 ? clock.hour + 12 : clock.hour;
}

/** The hours that "six" can stand for today, those first at which somebody is up. */
export function possibleHours(clock: Clock, part?: DayPart): number[] {
  if (!clock.isOpen || part) return [meantHour(clock, part)];
  const hours = [clock.hour % 12, (clock.hour % 12) + 12];
  return [...hours.filter(isUp), ...hours.filter((hour) => !isUp(hour))];
}

export function isUp(hour: number): boolean {
  return hour >= firstHourUp && hour <= lastHourUp;
}

function hourInPart(hour: number, part: DayPart): number {
  switch (part) {
    case "morning":
      return hour % 12;
    case "afternoon":
    case "evening":
      return (hour % 12) + 12;
    case "night":
      // one at night is after midnight, ten at night is before
      return hour === 12 ? 0 : hour < 5 ? hour : hour + 12;
    default:
      return part satisfies never;
  }
}
