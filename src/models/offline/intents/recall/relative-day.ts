// Days that are told by their distance from the day on which the words were written.

/** The first and the last of them, as 2026-11-02, and how they are called. */
export type Days = { from: string; to: string; called: string };
export type RelativeDays = Days & { /** As it was written. */ words: string };

type Rule = { pattern: RegExp; days(found: Readonly<Record<string, string>>, day: string): Days | undefined };

const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const counts = "a one two three four five six seven eight nine ten eleven twelve".split(" ");
const howMany = `(?<count>\\d{1,3}|an|a couple of|${counts.join("|")}) (?<unit>day|week|month|year)s?`;
const weekday = `(?<weekday>${weekdays.join("|")})`;

const rules: readonly Rule[] = [
  shifted("the day before yesterday", -2),
  shifted("the day after tomorrow", 2),
  shifted("yesterday|last night", -1),
  shifted("tomorrow", 1),
  shifted("today|tonight|this (?:morning|afternoon|evening)", 0),
  rule(`${howMany} ago`, ({ count = "", unit = "" }, day) => distant(day, -countOf(count), unit)),
  rule(`in ${howMany}`, ({ count = "", unit = "" }, day) => distant(day, countOf(count), unit)),
  rule(`(?:last|this past) ${weekday}`, (found, day) => {
    const back = (7 + weekdayOf(day) - weekdays.indexOf(found.weekday ?? "")) % 7;
    return oneDay(moved(day, -(back || 7)));
  }),
  rule(`this (?:coming )?${weekday}`, (found, day) =>
    oneDay(moved(day, (7 + weekdays.indexOf(found.weekday ?? "") - weekdayOf(day)) % 7)),
  ),
  rule("last weekend", (_found, day) =>
    weekendFrom(moved(day, -7 - ((weekdayOf(day) + 1) % 7) + (isWeekend(day) ? 0 : 7))),
  ),
  rule("(?<which>last|next) (?<unit>week|month|year)(?! of\\b)", ({ which, unit = "" }, day) =>
    distant(day, which === "last" ? -1 : 1, unit),
  ),
];

/** The first such words in a text, and the days they mean; undefined when there are none or they may mean several. */
export function relativeDays(text: string, day: string): RelativeDays | undefined {
  const found = rules.flatMap(({ pattern, days }) => {
    const match = pattern.exec(text);
    const meant = match && days(lowered(match.groups), day);
    return match && meant ? [{ at: match.index, meant: { ...meant, words: match[0] } }] : [];
  });
  return found.sort((one, other) => one.at - other.at)[0]?.meant;
}

/** 2 November 2026; without the year, if it is this one. */
export function dayInWords(day: string, withoutYear?: string): string {
  const isKnown = withoutYear !== undefined && day.startsWith(withoutYear);
  return wordsOf(day, { day: "numeric", month: "long", ...(!isKnown && { year: "numeric" }) });
}

function shifted(words: string, by: number): Rule {
  return rule(words, (_found, day) => oneDay(moved(day, by)));
}

function rule(words: string, days: Rule["days"]): Rule {
  return { pattern: new RegExp(`\\b(?:${words})\\b`, "i"), days };
}

function lowered(groups: Readonly<Record<string, string | undefined>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, words = ""]) => [name, words.toLowerCase()]));
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(weekdayOf(day));
}

function weekendFrom(saturday: string): Days {
  return { from: saturday, to: moved(saturday, 1), called: `the weekend of ${dayInWords(saturday)}` };
}

function countOf(words: string): number {
  if (/^\d/.test(words)) return Number(words);
  if (words === "an") return 1;
  return words === "a couple of" ? 2 : Math.max(1, counts.indexOf(words));
}

function oneDay(day: string): Days {
  return { from: day, to: day, called: dayInWords(day) };
}

/** A day away is a day; a week away is a week, and so on, for nobody who says so has counted. */
function distant(day: string, by: number, unit: string): Days | undefined {
  const [year = 0, month = 1] = day.split("-").map(Number);
  switch (unit) {
    case "day":
      return oneDay(moved(day, by));
    case "week": {
      const monday = moved(day, by * 7 - ((weekdayOf(day) + 6) % 7));
      return { from: monday, to: moved(monday, 6), called: `the week of ${dayInWords(monday)}` };
    }
    case "month": {
      const from = isoOf(Date.UTC(year, month - 1 + by, 1));
      const to = isoOf(Date.UTC(year, month + by, 0));
      return { from, to, called: wordsOf(from, { month: "long", year: "numeric" }) };
    }
    case "year":
      return { from: `${year + by}-01-01`, to: `${year + by}-12-31`, called: String(year + by) };
    default:
      return undefined;
  }
}

function moved(day: string, by: number): string {
  return isoOf(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function wordsOf(day: string, how: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...how, timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));
}
