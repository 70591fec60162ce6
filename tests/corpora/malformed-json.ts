// What a careless or hostile client makes of a valid request: broken values inside sound JSON, and text that is no JSON.

/** The same numbers in every run, so that what fails once fails again. */
export type Dice = { below(count: number): number; pick<Item>(items: readonly Item[]): Item };

export function openDice(seed: number): Dice {
  let state = seed;
  const below = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** As JSON text, because some of it cannot be written as a value. */
const oddValues: readonly string[] = [
  ...["null", "true", "0", "-1", "0.5", "1e308", "1e999", "-0", "9007199254740993", '""', "[]", "{}"],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '"../../etc/passwd"',
    '"web--.."',
    '"__proto__"',
    '"\\u202eevil"',
    '"\\r\\nSet-Cookie: x"',
  ],
  ...['{"__proto__":{"scope":"owner"}}', '{"constructor":{"prototype":{"scope":"owner"}}}', '{"toString":1}', "[null]"],
  ...['[[[[[[{"a":[]}]]]]]]', deep(5_000), `"${"x".repeat(20_000)}"`, `[${"0,".repeat(3_000)}0]`],
];
const oddKeys: readonly string[] = [
  ...[
    "__proto__",
    "constructor",
    "prototype",
    "toString",
    "hasOwnProperty",
    "",
    "\0",
    "scope",
    "caller",
    "x".repeat(5_000),
  ],
];

/** Sound JSON in which one place is not what it was, is gone, or is new. */
export function breakValue(dice: Dice, valid: unknown): string {
  const places = placesIn(valid);
  const place = dice.pick(places);
  const kind = dice.below(10);
  if (kind < 7) return print(valid, place, dice.pick(oddValues));
  if (kind < 9) return withKey(dice, valid);
  return print(valid, place, undefined);
}

/** Each text or number replaced by each odd one of its own kind: what a schema takes and the inside may not expect. */
export function strangeValues(valid: unknown): readonly string[] {
  return placesIn(valid).flatMap((place) => {
    const kind = typeof at(valid, place);
    if (kind === "object") return [];
    return oddValues.filter((value) => typeof JSON.parse(value) === kind).map((value) => print(valid, place, value));
  });
}

const textFaults: readonly ((dice: Dice, text: string) => string)[] = [
  (dice, text) => text.slice(0, dice.below(text.length)),
  (dice, text) => cut(text, dice.below(text.length), 1),
  (_dice, text) => `\ufeff${text}`,
  (_dice, text) => `${text},`,
  (_dice, text) => `${text}${text}`,
  (_dice, text) => `${text.slice(0, -1)},}`,
  (_dice, text) => `${text}\0`,
  (_dice, text) => text.replaceAll('"', "'"),
  (_dice, text) => `// hello\n${text}`,
  (_dice, text) => `[${text}]`,
  (_dice, text) => `"${text.replaceAll('"', "")}"`,
  (_dice, text) => text.replace("{", '{"id":[],"id":{},'),
  (dice, text) => `${text.slice(0, 1 + dice.below(text.length - 1))}\u0001${text.slice(3)}`,
  () => "NaN",
  () => "undefined",
  () => "",
  () => " \n\t",
  () => "{",
  () => "[".repeat(20_000),
  () => deep(20_000),
  () => '{"a":'.repeat(10_000),
  () => '"\\ud83d',
  () => "01",
  () => "-",
  () => "\\u007b\\u007d",
  () => "<?xml version='1.0'?><methodCall/>",
];

/** Text that has been damaged; some of it may be JSON still, but none of it says what the valid text said. */
export function breakText(dice: Dice, text: string): string {
  return dice.pick(textFaults)(dice, text);
}

/** Bytes that are no UTF-8, in the place of some of the text. */
export function breakBytes(dice: Dice, text: string): Buffer {
  const bad = dice.pick([
    [0xff],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xe2, 0x82],
    [0xc0, 0xaf],
  ]);
  const place = 1 + dice.below(text.length - 1);
  return Buffer.concat([Buffer.from(text.slice(0, place)), Buffer.from(bad), Buffer.from(text.slice(place))]);
}

type Place = readonly (string | number)[];

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([key, part]) =>
    placesIn(part).map((place) => [Array.isArray(value) ? Number(key) : key, ...place]),
  );
  return [[], ...inner];
}

function at(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], value);
}

/** `text`: what stands in this place; undefined: nothing does. */
function print(value: unknown, [first, ...rest]: Place, text: string | undefined): string {
  if (first === undefined) return text ?? "null";
  const parts = Object.entries(value as object).flatMap(([key, part]) => {
    const isMeant = key === String(first);
    if (isMeant && rest.length === 0 && text === undefined) return [];
    const inner = isMeant ? print(part, rest, text) : JSON.stringify(part);
    return [Array.isArray(value) ? inner : `${JSON.stringify(key)}:${inner}`];
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}

function withKey(dice: Dice, valid: unknown): string {
  const text = JSON.stringify(valid);
  const key = JSON.stringify(dice.pick(oddKeys));
  const more = `${key}:${dice.pick(oddValues)}`;
  return text === "{}" ? `{${more}}` : text.replace("{", `{${more},`);
}

function cut(text: string, place: number, count: number): string {
  return text.slice(0, place) + text.slice(place + count);
}
