// A slip in the word that a sentence begins with would hide what is wanted; in the words after it nothing is touched.

const slips: readonly (readonly [meant: string, written: string])[] = [
  ["remember", "remeber rember remmeber rememeber remembr remeember rembember rememer remmber"],
  ["forget", "forgt froget foget forgett"],
  ["what", "waht wat whta whaat wht"],
  ["what's", "whats wahts waht's whts"],
  ["who's", "whos"],
  ["where's", "wheres"],
  ["when's", "whens"],
  ["when", "wen whn wehn wheen"],
  ["where", "wher whre wheer whree"],
  ["which", "wich whcih"],
  ["tell", "tel"],
  ["actually", "actualy acutally actaully"],
];
const meantBy: ReadonlyMap<string, string> = new Map(
  slips.flatMap(([meant, written]) => written.split(" ").map((each) => [each, meant] as const)),
);

export function mendBeginning(text: string): string {
  const begun = text.replace(/^((?:(?:please|hey|hi|ok|okay|can you|could you)[\s,]+)?)([\p{L}'’]{2,12})\b/iu, mended);
  return begun.replace(/^((?:what|who|where|when|how)? ?(?:do|did) (?:you|i|we)) (?:konw|knwo|kown|knw)\b/i, "$1 know");
}

function mended(all: string, before: string, word: string): string {
  const meant = meantBy.get(word.toLowerCase().replace("’", "'"));
  return meant === undefined ? all : `${before}${meant}`;
}
