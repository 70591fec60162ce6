// Whether a sentence states something, and whether it is of somebody's own life or of the world.
import { isOfHousehold, wordsIn } from "../recall/same-word.ts";
import { hasTime, isParticular } from "./read-value.ts";

export type Statement = { fact: string; isOwn: boolean };

const be = "is|are|was|were|ist|sind|war|wird|werden";
const aspect = `(?:${be}|has|have|had|lives?|works?|starts?|begins?|ends?|expires?|leaves?|opens?|closes?|comes?|goes|go|lasts?|takes?|needs?|gets?|belongs?|likes?|loves?|hates?|prefers?|costs?|plays?|runs out|hat|haben|heißt|heißen|wohnt|arbeitet|kostet|kommt|läuft|gilt|beginnt|endet|öffnet|schließt|geht|mag|liegt|steht|hängt)`;
// a person does these, so a name before them is somebody's
const doings =
  "lives|works|likes|loves|hates|dislikes|prefers|plays|studies|drives|goes|eats|drinks|wears|needs|gets|takes|moved|moves|owes|borrowed|bought|gave|lent|called|speaks|collects|wants|wohnt|arbeitet|mag|hasst|liebt|studiert|geht|fährt|spielt|isst|trinkt|bekommt|braucht|heißt";
const noName =
  "(?!(?:This|That|It|There|Here|What|Who|When|Where|Which|Why|How|Today|Tomorrow|Yesterday|Tonight|Everything|Everybody|Everyone|Nothing|Nobody|Someone|Something|He|She|They|You|We|My|Our|Your|His|Her|Their|The|Der|Die|Das|Dies|Es|Er|Sie|Ihr|Let|Please|And|But|If|Is|Are|Was|Were|Do|Does|Did|Can|Could|Will|Would|Should|Has|Have|Had|Any|Ist|Sind|Hat|Wie|Wo|Wer|Wann|Welche|Remind|Tell|Show|Open|Read|Run)(?![\\p{L}]))";
const name = `${noName}\\p{Lu}\\p{Ll}{1,30}`;
const did =
  "put|left|keep|kept|hide|hid|stored?|stashed|laid|placed|lent|gave|borrowed|bought|sold|own|have|got|take|took|paid|pay|owe|drive|wear|met|saw|moved|changed|booked|ordered|parked|installed|planted|signed|renewed|cancell?ed|live|work|was born|were born|speak|play|use|weigh|fly|leave|go|meet|like|love|hate|dislike|prefer|returned|hung|locked|packed|switched|subscribed|enrolled";

const own: readonly RegExp[] = [
  new RegExp(
    `^(?:i|we)(?:['’]ve| have)?(?: (?:already|just|also|always|usually|never|really|now|finally|do not|don['’]t)){0,2} (?:${did})\\s(?!(?:you|it|that|this|these|those|to|a question|a problem|an? (?:idea|issue|headache)|no idea|some questions?|my mind|there|here|now|home)\\b)\\S.{1,250}$`,
    "i",
  ),
  /^i(?:['’]m| am) (?:allergic|vegan|vegetarian|intolerant|married|diabetic|left-handed|born|called|\d)/i,
  /^ich (?:mag|hasse|liebe|wohne|arbeite|heiße|fahre|trinke|esse|bin allergisch|bin \d)\b.{1,200}$/iu,
  /^(?:ich|wir) (?:habe|haben|hab)\s(?!keine?\b|hunger|durst|lust|angst|eine? (?:frage|problem|idee)\b)\S.{2,240}$/iu,
  /^(?:ich|wir) (?:bin|sind)\s.{2,200}\p{L}{0,12}ge\p{L}{2,15}(?:t|en)$/iu,
  new RegExp(
    `^(?:my|our|meine?|unsere?) (?!question|point|guess|problem|idea|head\\b)[\\p{L}\\p{N}'’ -]{2,60}? ${aspect} \\S.{0,200}$`,
    "iu",
  ),
  // Anna's address is, the kids' school is called, Omas Geburtstag ist
  new RegExp(
    `^(?:the |die |der |das )?(?!(?:it|that|there|here|what|let|who|where|when|how|he|she)['’])\\p{L}{2,30}(?: \\p{L}{2,30})?(?:['’]s|s['’]) [\\p{L}\\p{N}' -]{2,50}? ${aspect} \\S.{0,200}$`,
    "iu",
  ),
  new RegExp(`^${name}s \\p{Lu}\\p{L}{1,40} ${aspect} \\S.{0,200}$`, "u"),
  new RegExp(`^${name}(?: (?:and|und) \\p{Lu}\\p{Ll}{1,30})? (?:${doings})\\s\\S.{0,200}$`, "u"),
  new RegExp(
    `^${name} (?:is|are|was|ist|has|hat) (?:now |also |not |no longer |nicht mehr )?(?:(?:\\d{1,3}|allergic|vegan|vegetarian|intolerant|married|divorced|pregnant|born|left-handed|diabetic|allergisch|verheiratet)\\b|(?:my|our|mein|meine|unser|unsere)\\s\\S)`,
    "u",
  ),
  new RegExp(`^${name} (?:has|hat) \\S.{0,200}$`, "u"),
];
const ofThing = new RegExp(
  `^(?:the|der|die|das) (?<subject>[\\p{L}\\p{N}'’ -]{2,60}?) ${aspect} (?<rest>\\S.{0,200})$`,
  "iu",
);
const anything = new RegExp(
  `^(?:the |an? )?(?<subject>[\\p{L}'’-]{2,30}(?: [\\p{L}'’-]{2,30}){0,3}?) (?:${be}|has|have|boils|freezes|contains|means) \\S.{0,200}$`,
  "iu",
);
const ofWorld =
  /\b(?:sky|sun|moon|earth|world|universe|planets?|capital|president|population|river|mountain|countr(?:y|ies)|continent|language|himmel|sonne|mond|erde|hauptstadt|präsident|inhabitants|millions?|billions?|einwohner)\b|^(?:the |das |die )?(?:ocean|sea|water|light|sound|gold|iron|king|queen|wasser|licht)\s(?!\p{L}+\s(?:is|are|ist)\b)|\bof (?:the )?(?!\p{Lu}?\p{L}+['’]s)\p{Lu}/u;
// what one does on a certain day, in whatever words
const planned =
  /^(?:[Ii]|[Ww]e|[Ii]ch|[Ww]ir|(?!(?:It|This|That|There|He|She|What|Who|When|Where|Why|How|They|You)\s)\p{Lu}\p{Ll}{1,30} (?:is|are))(?:['’](?:m|re|ve|ll))?\s(?!(?:want|need|think|guess|hope|wish|wonder|mean|would|could|should|can|may|might|don['’]t|möchte|möchten|will|wollen|brauche|glaube|denke|kann|asked|ask)\b)\S.{2,240}$/u;
const germanHabit =
  /^(?:ich|wir) (?!möchte|will|kann|soll|muss|brauche|glaube|denke|weiß|finde|frage|verstehe|habe|bin|sehe|hoffe|liebe)\p{Ll}{2,14}en? \S.{2,200}$/iu;
const noSubject =
  /^(?:this|that|it|there|here|he|she|they|you|what|who|whom|whose|when|where|which|why|how|if|everything|nothing|nobody|something|someone|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|any|ist|sind|hat|wie|wo|wer|wann|was|warum|es|er|sie|please|let|remind|tell|show|read|open|run|write|put|add|make|search|find|i|we|ich|wir|yes|no|and|but)\b/i;

/** Undefined: it asks or orders, or says nothing that could be noted. */
export function readStatement(sentence: string): Statement | undefined {
  const fact = sentence.trim().replace(/[\s.!]{1,9}$/, "");
  if (fact.length > 300 || /[\n?]/.test(fact)) return undefined;
  const isOfWorld = ofWorld.test(fact) && !/\b(?:my|our|mein\p{L}{0,2}|unser\p{L}{0,2}|i|we|ich|wir)\b/iu.test(fact);
  const isPlanned = planned.test(fact) && hasTime(fact);
  if (!isOfWorld && (isPlanned || own.some((pattern) => pattern.test(fact)))) return { fact, isOwn: true };
  const { subject = "", rest = "" } = ofThing.exec(fact)?.groups ?? {};
  if (subject !== "" && !isOfWorld && (wordsIn(subject).some(isOfHousehold) || isParticular(rest)))
    return { fact, isOwn: true };
  const isAbout = (!noSubject.test(fact) && anything.test(fact)) || germanHabit.test(fact);
  return subject !== "" || isAbout || (isOfWorld && own.some((pattern) => pattern.test(fact)))
    ? { fact, isOwn: false }
    : undefined;
}
