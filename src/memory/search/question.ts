// What is asked: its words, what kind of question it is, whom it names, and when.
import { stemOf, tellingWords } from "../text/words.ts";

export const questionKinds = ["when", "where", "who", "why", "howmany", "how", "what", "infer", "yesno"] as const;
export type QuestionKind = (typeof questionKinds)[number];

export type Question = {
  /** In lower case. */
  text: string;
  words: readonly string[];
  stems: readonly string[];
  kinds: ReadonlySet<QuestionKind>;
  asksForPicture: boolean;
  /** Speakers whose name stands in it. */
  named: readonly string[];
  nameWords: ReadonlySet<string>;
  nameStems: ReadonlySet<string>;
  date: AskedDate;
};

export type AskedDate = { month?: number; year?: number; day?: number };

// how something is asked and not what for: rare in what people say, so that they would count for more than what it is about
const frameWords: ReadonlySet<string> = new Set(
  `kind kinds type types sort sorts many much times name names named done likely considered consider describe way ways specific
  particular according both might probably`.split(/\s+/),
);
const months = "january february march april may june july august september october november december".split(" ");
const wholeWord = /[\p{L}\p{N}]+/gu;

export function readQuestion(asked: string, speakers: readonly string[]): Question {
  const text = asked.toLowerCase();
  const present = new Set(text.match(wholeWord));
  const named = speakers.filter((name) => present.has(name.match(wholeWord)?.[0] ?? ""));
  const nameWords = new Set(named.flatMap((name) => name.match(wholeWord) ?? []));
  const words = withoutFrame([...new Set(tellingWords(asked))], nameWords);
  return {
    ...{ text, words, named },
    stems: [...new Set(words.map(stemOf))],
    kinds: kindsOf(text),
    asksForPicture: /\b(?:photo|picture|image|painting|paint|poster|wearing|show|shared|look like|drawing|sign)\b/.test(
      text,
    ),
    ...{ nameWords, nameStems: new Set([...nameWords].map(stemOf)) },
    date: dateIn(text),
  };
}

/** All of them where nothing but a name would be left. */
function withoutFrame(words: readonly string[], nameWords: ReadonlySet<string>): readonly string[] {
  const rest = words.filter((each) => !frameWords.has(each));
  return rest.some((each) => !nameWords.has(each)) ? rest : words;
}

const places = "city|country|place|state";
const kindWords: readonly (readonly [QuestionKind, RegExp])[] = [
  ["when", /\b(?:when|(?:what|which) (?:date|year|month|day)|what time|how long ago)\b/],
  ["howmany", /\b(?:how (?:many|much|long|often|old|far)|what number)\b/],
  ["where", new RegExp(`\\b(?:where|(?:which|what) (?:${places}))\\b`)],
  ["who", /\b(?:who|whom|whose)\b/],
  ["why", /\b(?:why|what (?:inspired|motivated|made|caused|led)|reason)\b/],
  ["how", /\bhow\b/],
  ["what", /\b(?:what|which)\b/],
];

function kindsOf(text: string): ReadonlySet<QuestionKind> {
  const kinds = new Set<QuestionKind>();
  if (/\b(?:would|could|might|likely|considered|probably|suggest)\b/.test(text)) kinds.add("infer");
  kinds.add(kindWords.find(([, form]) => form.test(text))?.[0] ?? "yesno");
  return kinds;
}

function dateIn(text: string): AskedDate {
  const month = months.findIndex((name) => new RegExp(`\\b${name}\\b`).test(text) && isMonth(name, text));
  const year = /\b(20\d\d)\b/.exec(text)?.[1];
  const name = months[month];
  const beside = name && new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?,? ${name}|${name} (\\d{1,2})\\b`).exec(text);
  const day = beside ? Number(beside[1] ?? beside[2]) : undefined;
  return {
    ...(month >= 0 && { month: month + 1 }),
    ...(year !== undefined && { year: Number(year) }),
    ...(day !== undefined && { day }),
  };
}

// two of them are also words of other kinds
function isMonth(name: string, text: string): boolean {
  if (name !== "may" && name !== "march") return true;
  return new RegExp(`\\b${name},? \\d|\\d(?:st|nd|rd|th)?,? ${name}\\b|\\bin ${name}\\b`).test(text);
}

/** How well a day fits what was asked for: above zero it does, below it does not. */
export function dateFit({ month, year, day }: AskedDate, unitDay: string): number {
  if (unitDay === "" || (month === undefined && year === undefined)) return 0;
  const [ownYear = 0, ownMonth = 0, ownDay = 0] = unitDay.split("-").map(Number);
  let fit = 0;
  // what happened in one month is often told in the next
  if (month !== undefined) fit += ownMonth === month ? 1 : ownMonth === (month % 12) + 1 ? 0.5 : -0.5;
  if (year !== undefined) fit += ownYear === year ? 0.3 : -0.5;
  if (day !== undefined && ownMonth === month) fit += ownDay === day ? 1 : Math.abs(ownDay - day) <= 3 ? 0.5 : 0;
  return fit;
}
