// What a question about notes and conversations is about.
import { type Days, relativeDays } from "./relative-day.ts";
import { wordsIn } from "./same-word.ts";

export type Question = {
  /** As it was asked, without the polite words before it. */
  asked: string;
  kind: "when" | "where" | "who" | "amount" | "other";
  /** What an answer must speak of. */
  telling: readonly string[];
  /** What it may speak of as well. */
  welcome: readonly string[];
  /** What it asks for, in its own words. */
  about: string;
  /** Of the asker's own life, so that nobody but their memory knows it. */
  isPersonal: boolean;
  /** It says I or my, so that what is another's is no answer. */
  isOwn: boolean;
  isOfPast: boolean;
  /** The days it asks about. */
  days: Days | undefined;
  wants: "newest" | "oldest" | "best";
};

const maxCharacters = 300;

const leadIn =
  /^(?:(?:and|but|so|by the way|hey|ok|okay|please)\b[\s,]*)*(?:(?:do|did|can|could|would|will) you (?:still |please )?(?:remember|recall|know|tell me|remind me|say)|tell me|remind me|i (?:wonder|forgot|forget|can['’]?t remember|do not remember|don['’]?t remember|(?:would like|want|need) to know))\b[\s,]*(?:again\b[\s,]*)?(?:that |if |whether )?/i;
const asking =
  /^(?:(?:at|in|on|from|to|with|for|since|until) )?(?<word>when|where|who|whom|whose|which|what|why|how(?: (?:many|much|often|long|old|far|tall|big|large|high|heavy|late|early))?)(?:['’]?s)?\b/i;
const yesOrNo = /^(?:did|have|had|was|were|am|do) (?:i|we|my|our)\b|^(?:is|are|does|has) (?:my|our)\b/i;
// "what is love?" asks for a meaning, "what is the plumber's number?" for something that was told
const forMeaning =
  /^what(?:['’]?s| is| are| was| were)\s+(?!(?:the|my|our|his|her|their|your|this|that|there)\b|\S+['’]s\b)(?:an? )?[\p{Ll}-]+(?: [\p{Ll}-]+)?$/u;
const ownLife = /\b(?:i|me|my|mine|myself|we|us|our|ours)\b/i;
const askedOfMemory = /\byou (?:still )?(?:remember|recall)\b/i;
const advice = /\b(?:should|shall|can|could|would|may|might|must|how (?:do|to))\b/i;

/** Undefined: it asks for nothing that could be found. */
export function readQuestion(sentence: string, today: string): Question | undefined {
  if (sentence.length > maxCharacters || sentence.includes("\n")) return undefined;
  const asked = sentence
    .trim()
    .replace(leadIn, "")
    .replace(/[\s?!.]+$/, "");
  const word = asking.exec(asked)?.groups?.word?.toLowerCase();
  if (word === undefined ? !yesOrNo.test(asked) : forMeaning.test(asked)) return undefined;
  const question = questionAbout(asked, aboutOf(asked), today, word);
  return question && { ...question, isPersonal: question.isPersonal || askedOfMemory.test(sentence) };
}

/** A topic alone, such as the bins. */
export function readTopic(topic: string, today: string): Question | undefined {
  if (topic.length > maxCharacters) return undefined;
  const asked = topic.trim().replace(/[\s?!.]+$/, "");
  const word = asking.exec(asked)?.groups?.word?.toLowerCase();
  return questionAbout(asked, word === undefined ? asked : aboutOf(asked), today, word);
}

function questionAbout(asked: string, about: string, today: string, word: string | undefined): Question | undefined {
  const days = relativeDays(asked, today);
  const words = wordsIn(asked.replace(asking, "").replace(days?.words ?? "", "")).filter(isTelling);
  const telling = words.some((each) => !spareWords.has(each)) ? words.filter((each) => !spareWords.has(each)) : words;
  if (telling.length === 0 && days === undefined) return undefined;
  return {
    ...{ asked, kind: kindOf(asked, word), telling, welcome: words, about, days },
    isPersonal: ownLife.test(asked) && !advice.test(asked),
    isOwn: ownLife.test(asked),
    isOfPast: /\b(?:did|was|were|had|have)\b/i.test(asked),
    wants: /\blast\b(?! (?:night|week|weekend|month|year|\w+day)\b)|\blatest\b|\bmost recently\b/i.test(asked)
      ? "newest"
      : /\bfirst\b/i.test(asked)
        ? "oldest"
        : "best",
  };
}

/** Whether a word, in lower case, says what something is about. */
export function isTelling(word: string): boolean {
  return !littleWords.has(word);
}

function kindOf(asked: string, word = ""): Question["kind"] {
  if (word === "when" || /^(?:on |in )?(?:what|which) (?:date|day|month|year|time)\b/i.test(asked)) return "when";
  if (word === "where" || word === "who") return word;
  return word.startsWith("how ") ? "amount" : "other";
}

/** "when did I see the dentist" asks about "see the dentist". */
function aboutOf(asked: string): string {
  const rest = asked.replace(asking, "").trim();
  const begin = /^(?:is|are|was|were|am|did|do|does|have|has|had|will)(?:n['’]t)?\b\s*(?:(?:i|we|you|there)\b\s*)?/i;
  const isBare = /^\S+['’]?s\b/.test(asked) || begin.test(rest);
  const about = rest.replace(begin, "");
  return isBare && about !== "" ? about : asked;
}

// said of many things that are noted without them
const spareWords: ReadonlySet<string> = new Set("appointment meeting date new old".split(" "));

const littleWords: ReadonlySet<string> = new Set(
  `an the of in on at to for and or if but so as by from with without about into over under off out up down than then there here
   is are was were am be been being do does did done doing has have had having will would can could should shall may might must not
   don didn doesn isn wasn haven won couldn ve re ll
   me my mine myself you your yours we us our ours he him his she her hers it its they them their theirs this that these those
   what who whom whose when where which why how much many often long big far tall high heavy large late early
   say said says tell told tells mention mentioned talk talked talking ask asked know knew remember recall noted note notes
   memory conversation conversations thing things stuff kind sort type time times day days month year place someone somebody something anything anyone
   everything write wrote written last latest first next again ever exactly currently now still already just please also any some all new usually normally
   today tonight yesterday tomorrow ago recently recent need needs
   get gets`.split(/\s+/),
);
