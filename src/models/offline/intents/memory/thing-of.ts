// A thing by its name, where it was named with an article or in a whole sentence.
import { isTelling } from "../recall/read-question.ts";
import { isVerb, wordsIn } from "../recall/same-word.ts";

const germanArticle = /^(?:de[rnms]|die|das|eine?[nmrs]?)\s+(?=\S)/i;
const englishArticle = /^(?:the|an?)\s+(?=\S)/i;
const sentence =
  /^(?:that |dass )?(?:i|we|ich|wir)\s|\s(?:is|are|was|were|has|have|lives|works|ist|sind|hat|heißt|wohnt)\s/i;

/** What is to be forgotten, as the tool for it looks for it. */
export function aboutOf(said: string): string {
  const bare = said.replace(/^(?:that|dass)\s+/i, "");
  if (!sentence.test(bare)) return bare.replace(germanArticle, "");
  const subject =
    /^(?!(?:i|we|ich|wir)\s)(.{2,80}?)\s(?:is|are|was|were|has|have|lives|works|ist|sind|hat|heißt|wohnt)\s/i.exec(
      bare,
    )?.[1];
  if (subject !== undefined)
    return subject.replace(germanArticle, "").replace(/^(?:my|our|mein\p{Ll}{0,2}|unser\p{Ll}{0,2})\s+/iu, "");
  const words = wordsIn(bare).filter(
    (word) => isTelling(word) && !isVerb(word) && !/^(?:ich|wir|habe|haben|hat)$/.test(word),
  );
  const asWritten = words.map((word) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "iu").exec(bare)?.[0] ?? word);
  return asWritten.length === 0 ? bare : asWritten.join(" ");
}

/** The same for a person to read. */
export function thingOf(said: string): string {
  return aboutOf(said).replace(englishArticle, "");
}
