// What a question is about, as it is named to the person who asked: "when does my driving licence expire" asks about your driving licence.
import { isVerb } from "./same-word.ts";

const ofThing =
  /(?<![\p{L}'’])(?:(?:the|my|our|his|her|their|mein\p{L}{0,2}|unser\p{L}{0,2}|der|die|das|den|dem)(?=\s)|(?:my|our|the)\s\p{L}{1,30}['’]s|\p{L}{2,30}['’]s(?<!(?:wh\p{L}{2,3}|how|it|that|there|let|here)['’]s))(?:\s[\p{L}\p{N}'’-]{1,40}){1,7}/iu;
const ends =
  /^(?:when|if|where|that|which|who|on|in|at|to|for|from|with|by|until|till|last|next|again|is|are|was|were|has|have|do|does|did|will|be|best|most|today|tomorrow|yesterday|called|named|due|go|heißt|hat|ist|kommt|wohnt)$/i;
const ofKind =
  /^(?:what|which|how many|how much)\s(?<kind>[\p{L}-]{2,30}(?:\s[\p{L}-]{2,30})?)\s(?:is|are|was|were|do|does|did|has|have|can)\s(?<who>.{1,60})$/iu;

export function thingAsked(asked: string): string | undefined {
  const { kind, who = "" } = ofKind.exec(asked)?.groups ?? {};
  const named = /^\p{Lu}\p{L}+(?=\s\p{Ll}|$)/u.exec(who)?.[0];
  if (kind !== undefined && named !== undefined) return `${named}'s ${kind}`;
  const words = ofThing.exec(asked)?.[0].split(/\s/) ?? [];
  const end = words.findIndex((word, at) => at > 0 && (ends.test(word) || (at > 1 && isVerb(word.toLowerCase()))));
  const thing = words.slice(0, end < 0 ? undefined : end);
  // without its verb, "does Tom arrive" would be no English
  if (thing.length < 2) return /\b(?:do|does|did) (?!(?:i|we|you|there)\b)/i.test(asked) ? asked : undefined;
  return thing
    .join(" ")
    .replace(/^(?:my|our)\b/i, "your")
    .replace(/\bof my\b/gi, "of your")
    .replace(/^mein(?=\p{Ll}{0,2}\s)/iu, "dein");
}
