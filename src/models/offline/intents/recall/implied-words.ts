// What a line tells without the word for it.

const months =
  "January|February|March|April|May|June|July|August|September|October|November|December|Mai|Juni|Juli|März";
const weekdays = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:Mon|Diens|Donners|Frei|Sams|Sonn)tags?";
const colours =
  /\b(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|pink|purple|violet|silver|gold|golden|beige|turquoise)\b/i;
const breeds =
  /\b(?:beagle|poodle|labrador|retriever|dachshund|terrier|collie|husky|boxer|bulldog|pug|chihuahua|spaniel|shepherd|corgi|dalmatian|siamese|persian|dackel|pudel|schäferhund|mongrel|mixed)\b/i;

export const placeBefore = /\b(?:in|on|under|behind|at|beside|inside|above|below|between|next to|with|by)\b/i;
/** A name, and no day or month. */
export const properName = new RegExp(
  `(?<!\\p{L})(?!(?:${months}|${weekdays}|The|My|Our|I)(?!\\p{L}))\\p{Lu}\\p{Ll}`,
  "u",
);

const implied: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\d{3}/, ["number"]],
  [/\p{Sc}|\b\d+(?:[.,]\d\d)? ?(?:euros?|dollars?|pounds?|francs?)\b/iu, ["cost", "money"]],
  [/\S@\S/, ["mail"]],
  [colours, ["colour"]],
  [breeds, ["breed", "dog"]],
  [placeBefore, ["put"]],
  [new RegExp(`(?<=\\p{Ll},? |: |\\()(?!(?:${months}|${weekdays})(?!\\p{L}))\\p{Lu}\\p{Ll}`, "u"), ["name"]],
  [/\b(?:allerg\w+|vegan|vegetarian|intolerant)\b/i, ["eat", "cook", "food", "diet"]],
  [/\b(?:combination|password|pin)\b/i, ["code"]],
  [/\bnumber\b/i, ["code"]],
  [/\b(?:fly|flight|flights)\b/i, ["airline"]],
  [/\b(?:hotel|hostel|inn|guesthouse)\b/i, ["stay"]],
  [/\b(?:open|opens|closes|closed|until|shuts)\b/i, ["open", "close", "hours"]],
  [/\b(?:collected|picked up|go out|abgeholt|geholt|geleert)\b/i, ["collect", "pickup", "come", "collection", "empty"]],
];
// whom one calls for what
const callings: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(?:plumber|klempner|installateur)\b/i,
    ["sink", "drain", "tap", "pipe", "toilet", "leak", "block", "call", "fix"],
  ],
  [/\b(?:electrician|elektriker)\b/i, ["fuse", "power", "light", "socket", "call", "fix"]],
  [/\b(?:dentist|zahnarzt)\b/i, ["tooth", "teeth", "toothache"]],
  [/\b(?:vet|tierarzt)\b/i, ["sick", "ill"]],
  [/\b(?:mechanic|garage|werkstatt)\b/i, ["repair", "fix"]],
];
const ofWhatComes: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(?:appointment|meeting|termin)\b/i, ["go", "see", "be"]],
  [/\b(?:due|payable|fällig)\b/i, ["pay"]],
];

/** A number is rarely called one. */
export function impliedBy(text: string, isOfPast: boolean): readonly string[] {
  const rules = isOfPast ? implied : [...implied, ...ofWhatComes];
  return rules.flatMap(([pattern, words]) => (pattern.test(text) ? words : []));
}

/** What somebody is there for: one calls the plumber when the sink leaks. */
export function calledFor(text: string): readonly string[] {
  return callings.flatMap(([pattern, words]) => (pattern.test(text) ? words : []));
}
