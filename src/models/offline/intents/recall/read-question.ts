// What a question about notes and conversations is about.
import { type Days, relativeDays } from "./relative-day.ts";
import { isOfHousehold, wordsIn } from "./same-word.ts";
import { thingAsked } from "./thing-asked.ts";

export type Question = {
  /** As it was asked, without the polite words before it. */
  asked: string;
  kind: "when" | "where" | "who" | "amount" | "food" | "other";
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
  /** Only what the asker said themselves. */
  isOfOwnWords: boolean;
  /** The days it asks about. */
  days: Days | undefined;
  wants: "newest" | "oldest" | "best";
};

const maxCharacters = 300;

const leadIn =
  /^(?:(?:and|but|so|by the way|hey|ok|okay|please)\b[\s,]*)*(?:(?:do|did|can|could|would|will) you (?:still |please )?(?:remember|recall|know|tell me|remind me|say)|tell me|remind me|remember(?= (?:wh|how))|any idea|sag mir|weißt du|i (?:wonder|forgot|forget|can['’]?t remember|do not remember|don['’]?t remember|(?:would like|want|need) to know))\b[\s,]*(?:again\b[\s,]*)?(?:that |if |whether )?/i;
const asking =
  /^(?:(?:at|in|on|from|to|with|for|since|until|till|bis|ab|seit|um) )?(?<word>when|where|who|whom|whose|which|what|why|how(?: (?:many|much|often|long|old|far|tall|big|large|high|heavy|late|early))?|wann|wo|wohin|wer|wen|wem|wessen|wie (?:viele?|oft|lange|alt)|wie|was|welche[rsnm]?)(?:['’]?s)?\b/i;
const yesOrNo =
  /^(?:(?:is|are|was|were) there|gibt es|any(?= .{1,200}\?)|anyone(?= .{1,200}\?))\s+\S|^(?:am|is|are|was|were|do|does|did|have|has|had|can|could|may|should|will|isn['’]t|aren['’]t|doesn['’]t|don['’]t|didn['’]t|ist|hat|mag|habe|bin)\s+(?!(?:you|it|there|this|that|these|those|one|people|du)\b)\S/i;
// "what is love?" asks for a meaning, "what is the plumber's number?" for something that was told
const forMeaning =
  /^[Ww]hat(?:['’]?s| is| are| was| were)\s+(?!(?:wifi|the|my|our|his|her|their|your|this|that|there)\b|\S+['’]s\b)(?:an? )?[\p{Ll}-]+(?: [\p{Ll}-]+)?$/u;
const ownLife = /\b(?:i|me|my|mine|myself|we|us|our|ours|ich|mir|mich|meine?[nrms]?|wir|uns|unsere?[nrms]?)\b/i;
const ownSaying = /^what (?:all )?(?:did|have) (?:i|we) (?:say|said|tell|told|mention|mentioned)\b/i;
const food = /\b(?:eat|cook|drink|food|serve|bake for)\b/i;
const askedOfMemory = /\byou (?:still )?(?:remember|recall)\b/i;
const advice = /\b(?:should|shall|can|could|would|may|might|must|how (?:do|to))\b/i;

/** Undefined: it asks for nothing that could be found. */
export function readQuestion(sentence: string, today: string): Question | undefined {
  if (sentence.length > maxCharacters || sentence.includes("\n")) return undefined;
  const asked = bareOf(sentence);
  const word = asking.exec(asked)?.groups?.word?.toLowerCase();
  const isAsked =
    word === undefined ? yesOrNo.test(/\?\s*$/.test(sentence) ? `${asked}?` : asked) : !forMeaning.test(asked);
  if (!isAsked) return undefined;
  const question = questionAbout(asked, thingAsked(asked) ?? aboutOf(asked), today, word);
  const isPersonal = namesSomebody(asked) || isOfHome(asked) || askedOfMemory.test(sentence);
  return question && { ...question, isPersonal: question.isPersonal || isPersonal };
}

/** A few words that are neither question nor order: Emma's birthday, wifi password, Lisbon. */
export function readFewWords(sentence: string, today: string): Question | undefined {
  if (sentence.length > maxCharacters || sentence.includes("\n")) return undefined;
  const asked = bareOf(sentence);
  const question = isAlone(asked) ? questionAbout(asked, asked, today, undefined) : undefined;
  return question && { ...question, isPersonal: question.isPersonal || named.test(asked) || ofSomebody.test(asked) };
}

function bareOf(sentence: string): string {
  const trimmed = sentence.trim().replace(leadIn, "");
  return trimmed.replace(/[\s?!.]{1,20}$/, "");
}

/** A topic alone, such as the bins. */
export function readTopic(topic: string, today: string): Question | undefined {
  if (topic.length > maxCharacters) return undefined;
  const asked = topic.trim().replace(/[\s?!.]+$/, "");
  const word = asking.exec(asked)?.groups?.word?.toLowerCase();
  return questionAbout(asked, word === undefined ? asked : aboutOf(asked), today, word);
}

function questionAbout(asked: string, about: string, today: string, word: string | undefined): Question | undefined {
  const isOfFood = food.test(asked);
  // what somebody eats tonight, they eat on any day
  const days = isOfFood ? undefined : relativeDays(asked, today);
  const isGerman = germanWord.test(asked);
  const known = wordsIn(asked.replace(asking, "").replace(days?.words ?? "", ""));
  const words = known.filter((each) => isTelling(each) && !(isGerman && germanLittleWords.has(each)));
  const kind = isOfFood ? "food" : kindOf(asked, word);
  const telling = asNegated(asked, withoutSpare(words, asked, word));
  if (telling.length === 0 && days === undefined) return undefined;
  return {
    ...{ asked, kind, telling, welcome: words, about, days },
    isOfOwnWords: ownSaying.test(asked),
    isPersonal: ownLife.test(asked) && !advice.test(asked),
    isOwn: ownLife.test(asked),
    isOfPast: /\b(?:did|was|were|had|paid|have(?! to\b))\b/i.test(asked) && !/\bdo (?:i|we) have\b/i.test(asked),
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

/** What may be asked with words that a note of it does without: what somebody likes in their coffee, they may take. */
function withoutSpare(words: readonly string[], asked: string, word: string | undefined): readonly string[] {
  const isLoose = word === undefined || word === "how" || word === "wie" || food.test(asked);
  const isOfThing = /^(?:what|which|wann|wer|wo)$/i.test(word ?? "");
  const isSpare = (each: string) =>
    spareWords.has(each) || (isLoose && looseWords.has(each)) || (isOfThing && movingWords.has(each));
  const kept = words.filter((each) => !isSpare(each));
  const old = /^how old\b/i.test(asked) ? ["age"] : [];
  return kept.length > 0 ? [...kept, ...old] : words;
}

function asNegated(asked: string, telling: readonly string[]): readonly string[] {
  if (!/\bnot\b|n['’]t\b/i.test(asked)) return telling;
  return telling.map((each) => (/^(?:likes?|loves?|enjoys?)$/.test(each) ? "hate" : each));
}

const order =
  /^(?:write|put|add|make|translate|run|ignore|replace|open|read|draw|send|book|play|turn|set|start|stop|create|explain|show|tell|give|let|help|sing|say|do|please|summari[sz]e|call|build|fix|check|change|cancel|move|delete|clear|list|search|get|buy|order|remind|learn|think|i|you|we|it|that|this|they|he|she|there|yes|yep|sure|great|nice|cool|hello|hi|hey|thanks|sorry|lol|haha|wow|why|ja|nein|danke|hallo)\b/i;
const named = /(?:^|\s)\p{Lu}\p{Ll}/u;
const aspects =
  "birthday|address|husband|wife|partner|spouse|boyfriend|girlfriend|phone|number|mobile|name|e?mail|job|work|employer|age|mother|father|mum|mom|dad|brother|sister|son|daughter|kids?|child|children|parents?|teacher|doctor|dentist|boss|dog|cat|cats|house|flat|car|school|size|allerg\\w+|favou?rite|diet|profession|anniversary|wedding|code|password|pin";
const ofSomebody = new RegExp(`\\p{L}['’]s? (?:\\p{L}+ ){0,2}(?:${aspects})\\b|\\bmy \\p{L}`, "iu");
const isSubject =
  /^(?!what(?:['’]s| is| are) \p{Lu}\S*$)(?:(?:wh\p{L}+|how|wann|wo|wer|wie|was)(?:['’]s)?(?: \p{Ll}+){0,2} )?(?:is|was|does|did|has|isn['’]t|doesn['’]t|didn['’]t|can|will|should|hat|ist|wohnt|arbeitet|mag|heißt)\s+(?:not )?\p{Lu}\p{Ll}+(?! \p{Lu})(?!\p{L})|^(?:wann|wo|was|wie alt) (?:hat|ist|wohnt|arbeitet|mag) \p{Lu}|^who(?:['’]s| is) \p{Lu}\p{Ll}+$|\b(?:for|give) \p{Lu}\p{Ll}+(?! \p{Lu})(?!\p{L})/u;

function isAlone(asked: string): boolean {
  if (asking.test(asked) || yesOrNo.test(asked) || /[,;:\n]/.test(asked)) return false;
  return asked.split(/\s+/).length <= 5 && !order.test(asked) && /^\p{L}/u.test(asked);
}

const ofHome =
  /\b(?:the|any|this|der|die|das|den|dem|im|am|zum|zur|\p{Lu}\p{L}{1,20}['’]s|\p{L}{2,20}s['’])\s+((?:[\p{L}-]{1,20}\s){0,2}[\p{L}-]{1,20})/giu;
const neverElsewhere = /\b(?:trash|garbage|müll|wifi|wlan|grandma|grandpa|oma|opa)(?:['’]?s)?\b/i;

/** The cat, the rent, the kindergarten: those of the asker. */
function isOfHome(asked: string): boolean {
  if (neverElsewhere.test(asked)) return true;
  // the dog of a whole country is not
  if (/\b(?:of|in) (?:the )?\p{Lu}/u.test(asked)) return false;
  return [...asked.matchAll(ofHome)].some(([, words = ""]) => wordsIn(words).some(isOfHousehold));
}

/** Somebody or something of whom only the asker's own notes would tell. */
function namesSomebody(said: string): boolean {
  const asked = said.replace(/^(?:Wh\p{L}{1,3}|How|Wann|Wo|Wer|Wie|Was|Is|Was|Does|Did|Has|Hat|Ist)\b/u, (word) =>
    word.toLowerCase(),
  );
  return isSubject.test(asked) || (ofSomebody.test(asked) && !/\byou\b/i.test(asked));
}

function kindOf(asked: string, word = ""): Question["kind"] {
  if (word === "wann") return "when";
  if (word === "wo") return "where";
  if (/^we[rnm]$/.test(word)) return "who";
  if (/^wie hei(?:ß|ss)/i.test(asked)) return "who";
  if (/^wie ./.test(word)) return "amount";
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
const spareWords: ReadonlySet<string> = new Set("appointment meeting date new old family household familie".split(" "));
// which school they go to, what medicine she needs: the thing is asked for
const movingWords: ReadonlySet<string> = new Set("go goes take takes get gets use uses need kommt geht".split(" "));

const looseWords: ReadonlySet<string> = new Set(
  "like likes love take have eat drink cook come go food serve make want".split(" "),
);

const germanWord =
  /^(?:wann|wo|wohin|wer|wen|wem|wessen|wie|was|welche[rsnm]?|ist|hat|mag|habe|bin|der|die|das|mein|meine|über)\b/i;
const germanLittleWords: ReadonlySet<string> = new Set(
  `der die das den dem des ein eine einen einem einer und oder ist sind wird war waren hat habe haben hatte ich du er sie es wir ihr mein
   meine meinen meinem meiner unser unsere unserem unseren unserer mich mir dein deine sein seine wo wann wer wen wem wie was welche welcher welches heißt heisst heißen im
   in am an auf unter bei mit von zu zum zur für über dass nicht kein keine mag gern bin weißt`.split(/\s+/),
);

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
   get gets happen happens happened called`.split(/\s+/),
);
