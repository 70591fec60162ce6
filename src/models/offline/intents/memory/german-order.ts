// "dass Oma am 5. Mai Geburtstag hat" is noted as a sentence of its own: Oma hat am 5. Mai Geburtstag.

const last =
  /^(?<before>.{3,300})\s(?<verb>hat|haben|habe|ist|sind|bin|war|heißt|heißen|heisst|wohnt|wohnen|wohne|arbeitet|arbeite|mag|kommt|kommen|kostet|geht|gehen|liegt|liegen|steht|stehen|beginnt|endet|schließt|öffnet|braucht|isst|trinkt|fährt|wird|werden|hängt|gilt|läuft|muss|müssen|soll|kann|darf)$/u;
// one word, or a noun with what stands before it
const group =
  /^(?:(?:[DdEeMmUuSsIi](?:er|ie|as|en|em|ine?[rnms]?|ein\p{Ll}{0,2}|nser\p{Ll}{0,2}|hr\p{Ll}{0,2}))\s(?:\p{Ll}{2,20}\s){0,2}\p{Lu}[\p{L}-]{1,40}|\p{Lu}\p{L}{1,30}s\s\p{Lu}[\p{L}-]{1,40}(?=\s(?:\p{Ll}|\d))|\p{Lu}[\p{L}-]{1,40}|[Ii]ch|[Ww]ir|[Ee][rs]|[Ss]ie|[Mm]an)(?=\s)/u;

/** As it was, where it is not that simple. */
export function withVerbSecond(fact: string): string {
  const bare = fact.replace(/[\s.!]{1,9}$/, "");
  const { before = "", verb = "" } = last.exec(bare)?.groups ?? {};
  const first = group.exec(before)?.[0];
  if (first === undefined || verb === "" || /[,;:]/.test(before)) return fact;
  return `${first} ${verb}${before.slice(first.length)}`;
}
