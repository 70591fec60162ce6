import { lineEnd, matchAt } from "../reading.ts";
import { anyCase, type Format } from "./format.ts";

const everyCase = (...hints: string[]) =>
  hints.flatMap((hint) => [hint, hint.replace(/^./, (first) => first.toUpperCase()), hint.toUpperCase()]);

/** Words that sentences are made of and that no wallet uses. */
const neverInSeed =
  "(?!(?:the|and|for|are|was|were|with|from|your|has|had|not|but|its|our|out|may|his|her|she|him|who|how|why|which|their|them|these|" +
  "those|would|could|should|been|does|did|than|some|each|every|both)(?![a-z]))";
const seedWord = `${neverInSeed}[a-z]{3,8}(?![A-Za-z])`;
const betweenWords = '(?:[ \\t\\n\\r,:|"\'*_-]|\\\\{1,16}[nrt"]|\\d{1,2}[.):]?){1,12}';
const commonWords = new Set(
  (
    "able also area away back been best body book both call came case city come days does done down each even ever face fact feel find " +
    "four from full gave give goes good hand hard have head help here high hold home hour idea into just keep kind knew know last " +
    "late left less life like line list live long look lose made make many mean more most move much must name near need next once " +
    "only open over page part past plan play real same seem show side some soon stay such sure take talk tell than that them then " +
    "they this time told took true turn upon used uses very want ways well went were what when will with word work year your"
  ).split(" "),
);
const wifiCharacter = `(?:\\\\{1,16}(?:[;,:"]|(?![\\\\nrtbfux]))|[^;\\\\\\u0000-\\u001f])`;
const fourByFour = /[a-z]{4}(?:[ \u00a0-][a-z]{4}){3}(?![\w-])/y;

// sentences with these words are many: only what may name a phrase is waited for
const noPhraseFollows =
  /^(?:seed|recovery|backup|secret|wallet|frase|wiederherstellungs)(?:[^ _pwr:="'`\\\t-]|[ _-][^pwrsmd:="'`\\ \t])/i;

const phraseNames = [
  "mnemonic(?:[ _-]?(?:phrase|words?))?",
  "(?:seed|recovery|backup|secret|wallet|wiederherstellungs)[ _-]?(?:recovery[ _-]?)?(?:phrases?|words?)",
  "seed(?=\\\\{0,16}[\"'`]?[ \\t]{0,4}[:=])",
  "frase[ _](?:semilla|mnem.{4,6}|de recuperaci.n|di recupero)",
];

/** Google and Apple show an app password as four times four letters. */
export function spacedPassword(text: string, at: number): string | undefined {
  const letters = matchAt(fourByFour, text, at)?.[0];
  return letters && isSpacedPassword(letters) ? letters : undefined;
}

/** Secrets that a person writes down or is shown. */
export const personalFormats: readonly Format[] = [
  {
    name: "wifi-password",
    prefixes: ["WIFI:", "wifi:", "Wifi:"],
    lead: `(?:WIFI|[Ww]ifi):(?:[A-OQ-Za-oq-z]{1,3}:${wifiCharacter}{0,80};){0,6}[Pp]:`,
    body: `${wifiCharacter}{4,140}(?=;)`,
    reach: { stop: lineEnd, limit: 900 },
    isSecret: (secret) => !/^[{<$[]|^(?:password|passwort|secret)$/i.test(secret),
  },
  {
    name: "app-password",
    prefixes: everyCase("app"),
    lead: `${anyCase("app(?:lication)?[ -]passwor(?:d|t)")}[^\\n\\r\\\\[]{0,40}?[^A-Za-z\\n\\r\\\\[]`,
    body: "[a-z]{4}(?:[ \\u00a0-][a-z]{4}){3}(?![\\w-])",
    reach: { stop: /[\n\r]|^app(?![ -]?$|[ -]p|l?i?c?a?t?i?o?n?[ -]?$|lication[ -]p)/i, limit: 120 },
    isSecret: isSpacedPassword,
  },
  {
    name: "seed-phrase",
    prefixes: everyCase("seed", "mnemonic", "recovery", "backup", "secret", "wallet", "frase", "wiederherstellungs"),
    lead:
      `(?:${anyCase(phraseNames.join("|"))})` +
      `(?:(?!\\[redacted)[^\\\\A-Za-z]|\\\\{1,16}[nrt"]|[A-Za-z]{1,12}(?=[ :)\\n\\r\\\\])){0,24}?`,
    body: `${seedWord}(?:${betweenWords}${seedWord}){11,35}`,
    reach: { stop: noPhraseFollows, limit: 1200 },
    isSecret: () => true,
  },
  {
    name: "private-key",
    prefixes: everyCase("private", "privkey"),
    lead: `${anyCase("priv(?:ate)?[ _-]?key")}(?!-----)(?:[^\\n\\r\\\\[]|\\\\{1,16}["'t]){0,40}?(?<![A-Za-z0-9])`,
    body: "(?:0[xX])?(?:[a-fA-F0-9]{64}|[a-fA-F0-9]{128})(?![A-Za-z0-9])",
    reach: { stop: /[\n\r]|^private(?![ _-]?(?:k|$))/i, limit: 200 },
    isSecret: (secret) => !/^(?:0x)?(.)\1*$/i.test(secret),
  },
];

function isSpacedPassword(letters: string): boolean {
  return !letters.split(/[ \u00a0-]/).some((word) => commonWords.has(word));
}
