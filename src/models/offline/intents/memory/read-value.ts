// What a note says of its thing: a time, a name, a number, a place. One of the same kind takes its place.
import { isTelling } from "../recall/read-question.ts";
import { saysSame, wordsIn } from "../recall/same-word.ts";

const month =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)(?!\\p{L})";
const weekday =
  "(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?|(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tags?|[Mm]ittwochs?";
const before =
  "(?:(?<=^|\\s)(?:on|at|by|in|every|next|this|until|till|from|am|um|im|ab|bis|jeden|the|every other) ){0,2}";
const aDay = `(?:(?:${weekday})(?!\\p{L})|\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?${month}(?:,? \\d{4})?|${month} \\d{1,2}(?:st|nd|rd|th)?(?!\\d|:)(?:,? \\d{4})?|${month}(?: \\d{4})?|\\d{4}-\\d\\d-\\d\\d|(?:tomorrow|today|tonight|morgen|heute)(?!\\p{L}))`;
const aClock = `(?:\\d{1,2}[:.]\\d\\d(?: ?(?:[ap]\\.?m\\.?|Uhr))?|\\d{1,2} ?(?:[ap]m(?!\\p{L})|[ap]\\.m\\.|Uhr|o['’]clock)|(?<=(?:at|um) )\\d{1,2}(?![\\d.]|(?: \\p{L}))|noon|midnight)`;

const dayIn = new RegExp(
  `(?<prep>${before})(?<what>(?<!\\p{L})${aDay}(?:,? (?:and|und) (?:${weekday})(?!\\p{L}))?)`,
  "u",
);
const clockIn = new RegExp(`(?<prep>${before})(?<what>(?<![\\p{L}\\d])${aClock})`, "u");
const verb =
  /\s(?<verb>is|are|was|were|has|have|haben|costs?|lives?|works?|goes|go|leaves?|starts?|ends?|expires?|opens?|closes?|ist|sind|hat|heißt|wohnt|arbeitet|kostet|liegt)\s+(?:now |called |named |jetzt )?(?<rest>\S.*)$/i;
const place = /^(?:in|on|under|behind|at|beside|inside|above|below|between|next to|hinter|unter|auf|neben|im|beim)\s/i;
const put =
  /^(?<what>(?:i|we|ich|wir) (?:have |['’]ve )?(?:put|left|keep|kept|hid|stored|parked|placed|laid|habe|haben)\s.{2,60}?)\s(?<rest>(?:in|on|under|behind|at|beside|inside|next to|auf|unter|hinter|neben|im|ins)\s.+)$/i;

type Kind = "time" | "name" | "number" | "place" | "words";
// what is longer is a text rather than a fact
const mostCharacters = 400;

export type Told = { subject: string; verb: string; rest: string; kind: Kind };

/** Said of one thing in particular: a name, a number, a day or a place. */
export function isParticular(rest: string): boolean {
  return kindOf(rest) !== "words" || hasTime(rest);
}

export function hasTime(text: string): boolean {
  return dayIn.test(text) || clockIn.test(text);
}

function kindOf(rest: string): Kind {
  const bare = rest.replace(/^(?:now |called |named |jetzt )/i, "");
  const first = Math.min(indexIn(dayIn, bare), indexIn(clockIn, bare));
  if (first < 12) return "time";
  if (/^(?:Dr\.?|Mrs?\.?|Ms\.?|Herr|Frau)\s|^(?!The |A |An )\p{Lu}/u.test(bare)) return "name";
  if (place.test(bare)) return "place";
  return /\d/.test(bare) || first < Number.POSITIVE_INFINITY ? "number" : "words";
}

function indexIn(pattern: RegExp, text: string): number {
  return pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

export function readTold(text: string): Told | undefined {
  if (text.length > mostCharacters) return undefined;
  const { what, rest: where } = put.exec(text)?.groups ?? {};
  if (what !== undefined && where !== undefined) return { subject: what, verb: "put", rest: where, kind: "place" };
  const found = verb.exec(text);
  const { verb: said = "", rest = "" } = found?.groups ?? {};
  if (!found) return undefined;
  const isEvent = /^(?:has|have|had|hat|haben)$/i.test(said) && dayIn.test(text);
  const kind = isEvent ? "time" : kindOf(rest);
  const subject = kind === "time" ? withoutTimes(text) : text.slice(0, found.index);
  return {
    subject,
    verb: /^(?:is|are|was|were|ist|sind)$/i.test(said) ? "be" : said.toLowerCase().replace(/s$/, ""),
    rest,
    kind,
  };
}

/** There may be several of them, each with a name of their own. */
const several =
  /\b(?:sisters?|brothers?|sons?|daughters?|cousins?|friends?|aunts?|uncles?|colleagues?|neighbou?rs?|kids?|child|children|cats?|dogs?|appointments?)$/i;

type Rivalry = "replaces" | "beside";

/** Whether a new fact says of the same thing what the older one said otherwise. */
export function rivalryOf(older: string, fact: string): Rivalry | undefined {
  const [one, other] = [readTold(older), readTold(fact)];
  if (!one || !other || !areSame(wordsOf(one.subject), wordsOf(other.subject))) return undefined;
  if (older.toLowerCase() === fact.toLowerCase()) return undefined;
  if (one.kind === "time" && other.kind === "time")
    return areBothTrue(older, fact) || wordsOf(one.subject).every((word) => common.test(word)) ? "beside" : "replaces";
  if (one.verb !== other.verb || one.kind !== other.kind) return undefined;
  if (one.kind !== "words") return one.kind === "name" && several.test(one.subject.trim()) ? "beside" : "replaces";
  return isNegated(one.rest) !== isNegated(other.rest) && areSame(wordsOf(one.rest), wordsOf(other.rest))
    ? "replaces"
    : undefined;
}

// there is more than one meeting in a life
const common = /^(?:meeting|appointment|call|party|dinner|lunch|class|lesson|visit|date|termin|besprechung|treffen)s?$/;
const recurring = new RegExp(`(?:${weekday})(?<=s)(?!\\p{L})|(?:every|jeden) (?:${weekday})`, "u");

/** On Mondays at one hour, on Fridays at another. */
function areBothTrue(older: string, fact: string): boolean {
  const [one, other] = [recurring.exec(older)?.[0], recurring.exec(fact)?.[0]];
  return one !== undefined && other !== undefined && one !== other && clockIn.test(older) && clockIn.test(fact);
}

const negation = /\b(?:not|no longer|no more|anymore|any more|nicht|nicht mehr|keine?)\b|n['’]t\b/gi;

function isNegated(text: string): boolean {
  return text.search(negation) >= 0;
}

/** What a text speaks of, without when. */
export function wordsOf(text: string): readonly string[] {
  const bare = withoutTimes(text).replace(negation, " ");
  return wordsIn(bare).filter((word) => isTelling(word) && !little.test(word));
}

const little =
  /^(?:am|um|im|in|der|die|das|den|dem|ein|eine|mein|meine|unser|unsere|ist|sind|war|hat|habe|haben|ich|wir|wird|mehr|longer|moved|changed|put|left|keep|kept|hid|stored|placed|laid|parked)$/;

function areSame(some: readonly string[], others: readonly string[]): boolean {
  const isIn = (word: string, words: readonly string[]) => words.some((each) => saysSame(word, each));
  return some.length > 0 && some.every((word) => isIn(word, others)) && others.every((word) => isIn(word, some));
}

function withoutTimes(text: string): string {
  let left = text;
  for (let count = 0; count < 6; count += 1) {
    const bare = left.replace(dayIn, " ").replace(clockIn, " ");
    if (bare === left) return left;
    left = bare;
  }
  return left;
}

/** The note with another day or hour in it; undefined where it tells none of the kind. */
export function withTime(note: string, value: string): string | undefined {
  const [day, clock] = [dayIn.exec(value), clockIn.exec(value)];
  if (!day && !clock) return undefined;
  const [oldDay, oldClock] = [dayIn.exec(note), clockIn.exec(note)];
  if (!(day && oldDay) && !(clock && oldClock)) return undefined;
  const whole = value.trim().replace(/[\s.!]{1,9}$/, "");
  if (day && clock && oldDay) {
    const bare = oldClock ? note.replace(clockIn, "").replace(/ {2,}/g, " ").trimEnd() : note;
    return bare.replace(dayIn, () => withPrep(whole, oldDay)).replace(/[ ,]+$/, "");
  }
  if (day && oldDay) return note.replace(dayIn, () => withPrep(whole, oldDay));
  if (clock && oldClock) return note.replace(clockIn, () => withPrep(whole, oldClock));
  return undefined;
}

function withPrep(value: string, old: RegExpExecArray): string {
  return /^(?:on|at|by|in|every|next|this|until|till|from|am|um|im|ab|bis|jeden)\s/i.test(value)
    ? value
    : `${old.groups?.prep ?? ""}${value}`;
}

export function isTimeAlone(text: string): boolean {
  const left = withoutTimes(text).trim();
  return left !== text.trim() && /^(?:(?:on|at|the|and|in|every|am|um)\s?)*[,.!]?$/i.test(left);
}
