// Whether two words say the same: birthday and birthdays, lend and lent, flat and apartment.

// words of one row stand for each other; the forms that endings tell are found without them
const rows = `
  go goes went gone visit see saw seen attend travel trip
  meet met see saw seen visit coffee lunch dinner
  put leave left keep kept hide hid hidden store lay laid lie
  buy bought get got purchase order
  call phone ring rang speak spoke talk
  number phone telephone tel mobile
  live address home reside moved wohnt wohne wohnen
  birthday geburtstag geboren
  born birthday birth
  age birthday born
  cost price pay paid
  name named called
  marry married wedding wed
  husband spouse partner married
  wife spouse partner married
  insure insurance insurer insured
  hate dislike loathe detest
  like love enjoy adore prefer
  licence license
  nut peanut hazelnut walnut almond cashew
  coriander cilantro
  expire due end ends
  start begin began
  finish end over
  give gave given gift
  lend lent loan
  borrow borrowed
  lose lost
  find found
  send sent
  sell sold
  take took taken
  eat ate eaten
  drink drank drunk
  drive drove driven car
  ride rode ridden
  fly flew flown flight
  read
  run ran
  swim swam swum
  sleep slept
  break broke broken
  choose chose chosen
  grow grew grown
  make made
  come came
  bring brought
  catch caught
  teach taught
  think thought
  hear heard
  hold held
  win won
  wear wore worn
  build built
  spend spent
  feed fed
  mum mom mother mama mummy
  dad father papa daddy
  kid child children
  flat apartment
  job work employer profession occupation
  holiday vacation trip
  bin trash garbage rubbish
  fridge refrigerator
  film movie
  bike bicycle
  mail email
  doctor dr gp
  picture photo
  town city
  colour color
  favourite favorite
  centre center
  theatre theater
  grey gray`
  .trim()
  .split("\n")
  .map((row) => row.trim().split(" "));

const rowsOf: ReadonlyMap<string, readonly number[]> = rowsByWord();

/** In lower case; a single letter says nothing. */
export function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 || !/^[a-z]$/.test(word)))];
}

/** By their endings alone. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const forms = formsOf(one);
  return formsOf(other).some((form) => forms.includes(form));
}

const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}$/u;

/** By their endings, or because one is said for the other. */
export function saysSame(one: string, other: string): boolean {
  if (isSameWord(one, other) || (withoutSpaces.test(one) && other.includes(one))) return true;
  const known = rowsIn(one);
  return rowsIn(other).some((row) => known.includes(row));
}

function rowsIn(word: string): readonly number[] {
  return formsOf(word).flatMap((form) => rowsOf.get(form) ?? []);
}

function rowsByWord(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) for (const word of row) found.set(word, [...(found.get(word) ?? []), at]);
  return found;
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/ies$/, "y"],
  [/(?<=s|x|z|ch|sh|o)es$/, ""],
  [/(?<=[^su])s$/, ""],
  [/ied$/, "y"],
  [/ed$/, ""],
  [/ed$/, "e"],
  [/ing$/, ""],
  [/ing$/, "e"],
  [/(?<double>[bdgklmnprt])\k<double>(?:ed|ing)$/, "$1"],
];

/** The word and what it may be a form of. */
function formsOf(word: string): readonly string[] {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return [word];
  const bases = endings.flatMap(([ending, instead]) => {
    const base = word.replace(ending, instead);
    return base !== word && base.length >= 3 && /[aeiouy]/.test(base) ? [base] : [];
  });
  return [word, ...bases];
}
