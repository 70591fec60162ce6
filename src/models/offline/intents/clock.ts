import { type Intent, say } from "../intent.ts";

const free = { task: "Telling the time", tools: [] };

export const clock: readonly Intent[] = [
  {
    ...free,
    example: "what time is it in Tokyo?",
    patterns: [
      /^(?:what(?:'s|’s| is)? )?(?:the )?(?:current )?time(?: is it)?(?: now| right now)?(?: in (?<place>[\p{L} _/-]+?))?[\s.?!]*$/iu,
      /^(?:do you know |tell me )(?:what time it is|the time)(?: in (?<place>[\p{L} _/-]+?))?[\s.?!]*$/iu,
    ],
    next: (words, _done, scene) => {
      const timeZone = words.place ? zoneOf(words.place) : scene.timeZone;
      if (!timeZone) return say(`I know no time zone for ${words.place}. Name a large city of it, such as Tokyo.`);
      const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
      return say(`It is ${time.format(scene.nowMs)} (${timeZone}).`);
    },
  },
  {
    ...free,
    example: "what is today's date?",
    patterns: [
      /^(?:what(?:'s|’s| is)? )?(?:the |today(?:'s|’s)? |current )*(?:date|day)(?: is it)?(?: today| now)?[\s.?!]*$/i,
      /^(?:what|which) (?:date|day)(?: of the week)? (?:is it|is today|do we have)(?: today)?[\s.?!]*$/i,
      /^what(?:'s|’s| is) today[\s.?!]*$/i,
    ],
    next: (_words, _done, scene) => {
      const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: scene.timeZone });
      return say(`It is ${date.format(scene.nowMs)} (${scene.timeZone}).`);
    },
  },
];

// zones are named after their large cities: America/New_York
function zoneOf(place: string): string | undefined {
  const wanted = place.trim().toLowerCase().replaceAll(" ", "_");
  return [...Intl.supportedValuesOf("timeZone"), "UTC"].find((zone) => {
    const lower = zone.toLowerCase();
    return lower === wanted || lower.endsWith(`/${wanted}`);
  });
}
