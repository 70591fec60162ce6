// Commands made to keep the check busy, the same one for the same seed: things that grow, pieces of the grammar repeated
// and nested, and known commands with parts of them doubled, dropped and mixed. § stands for the dollar.
import { openGenerator } from "./generate-script.ts";

type Random = {
  number(below: number): number;
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** How often something is repeated. */
  size(): number;
};

export function hostileCommand(seed: number, known: readonly string[]): string {
  return makeCommand(seed, known).replaceAll("§", "$");
}

function makeCommand(seed: number, known: readonly string[]): string {
  const random = openRandom(seed);
  switch (seed % 4) {
    case 0:
      return random.pick(growths)(random);
    case 1:
      return pump(random);
    case 2:
      return mutate(random, known);
    default:
      return mutate(random, [openGenerator(seed).script(random.pick(["listed", "made up"]))]);
  }
}

const times = (count: number, text: string) => text.repeat(count);
const list = (count: number, each: (at: number) => string, between: string) =>
  Array.from({ length: count }, (_, at) => each(at)).join(between);

/** What doubles, multiplies or is compared with everything. */
const growths: readonly ((random: Random) => string)[] = [
  ({ number, pick }) => `ls ${times(number(80), pick(["*a", "*", "*?", "a*[ab]", "**/"]))}b`,
  ({ number, pick }) => `ls ${times(number(60), pick(["*/", "l*/", "loop/", "../w/"]))}*`,
  ({ number, pick }) =>
    `a=xx; ${times(number(60), pick(["a=§a§a; ", "a+=§a; ", 'a="§a §a"; ', "a=§{a//x/§a}; "]))}cat §a`,
  (random) => `a=${times(random.number(512), "a")}; echo §{a${random.pick(removals)}${patternOf(random)}b}`,
  ({ number, size }) => `a=${times(500, "a")}; echo §{a//a/${times(size(), "b")}}${times(number(9), "§{a//?/§a}")}`,
  ({ size, pick }) => `echo ${times(size(), pick(["{a,b}", "{a,{b,c}}", "{1..9}", "{1..999999999}", "{a..z}{1..9}"]))}`,
  ({ size, pick }) => `echo ${times(size(), pick(["{a,", "{", "{{a,b},", "{1..", "{,"]))}x${times(size(), "}")}`,
  ({ number }) => `echo {${number(9)}..${times(1 + number(20), "9")}..${number(3)}}`,
  ({ size, pick }) => `[[ a == ${times(size(), pick(["+(a|", "!(*", "@(a|b)", "*(a)*"]))}${times(size(), ")")} ]]`,
  nestedLoops,
  ({ number, pick }) =>
    `${times(number(300), pick(["while true; do ", "if true; then ", "( ", "{ ", "until x; do "]))}x=1`,
  ({ size, pick }) =>
    `${list(size(), (at) => `v${at}=${at}`, ";")};${times(size(), pick(["(:);", "x=1 && ", "true | "]))}:`,
  ({ size, pick }) => `l=(${times(size(), "a b ")}); ${times(size(), `${pick(listUses)}; `)}`,
  ({ size, pick }) => `cat ${times(size(), pick(["x/", "src/../", "link-in/../", "./", "nested/link-deep/"]))}a.txt`,
  ({ size, pick }) =>
    `${pick(["rm -rf", "cp -r", "mv", "diff -r", "git add", "cat"])} ${times(size(), "src docs a.txt ")}`,
  ({ size }) => `cat src docs nested ${list(size(), (at) => `word${at}`, " ")}`,
  ({ number }) =>
    `${list(number(999), (at) => `cat <<E${at}`, " ")}\n${list(number(999), (at) => `§x\nE${at}`, "\n")}\n`,
  ({ size, pick }) => `echo §((${times(size(), pick(["1+", "(", "a?", "x=", "-"]))}1${times(size(), ")")}))`,
  (random) => `find . -name '${patternOf(random)}' -delete`,
  ({ size, pick }) => `${pick(["sed", "awk", "jq", "printf", "tr"])} '${times(size(), pick(programPieces))}' a.txt`,
  ({ size }) => `echo '${times(size() * 10, "a b")}'`,
  ({ size, pick }) => `echo ${times(size() * 20, pick(["a", "\\", "§", '"', "é", "\u00a0", "#", "~ "]))}`,
];

const removals = ["//", "/", "/%", "/#", "%%", "##", "%", "#"];
const listUses = ['echo "§{l[*]}"', "echo §{#l[@]}", "cat §{l[@]}", "l+=(§{l[@]})"];
const programPieces = ["[", "[[:", "/[", '"\\(', "(a+)+", "%", "s/a/", "\\", "{", "@"];

function patternOf({ size, pick }: Random): string {
  return times(size(), pick(["*a", "?*", "[ab]*", "*", "?"]));
}

function nestedLoops({ number, pick }: Random): string {
  const depth = 1 + number(14);
  const opening = list(depth, (at) => `for v${at} in ${pick(["{1..9}", "a b c", "*", "§v0 x"])}; do`, " ");
  return `${opening} x=§x§v0; cat ${list(depth, (at) => `§v${at}`, "")}${times(depth, "; done")}`;
}

/** Separated by spaces; a space inside a piece is written as a middle dot, the end of a line as ¶. */
const pieces = String.raw`
  ( (( §(( §( \` { §{ §{a:- §{a[ §[ [[ [ * ? {a, {1.. } ) ] )) " ' §' §" \ # ~ §a § @( !( +(a| a=( a= a[ <( >( | && || ; & !
  < > >> <<< 2>&1 = , a a.txt ¶ · case·x·in· a)· ;;· esac· if· then· fi· while· do· done· for·i·in· function·f· f()·{· coproc·
  select·x·in· time· <<E¶ <<-E¶ E¶ [[·(· ]]· \¶ =~· cat· echo· cd·src;·
`
  .trim()
  .split(/\s+/)
  .map((piece) => piece.replaceAll("·", " ").replaceAll("¶", "\n"));

function pump(random: Random): string {
  const unit = list(1 + random.number(3), () => random.pick(pieces), "");
  const end = random.number(3) === 0 ? list(random.number(3), () => random.pick(pieces), "") : "";
  const count = Math.min(random.size(), Math.floor(60_000 / unit.length));
  return `${random.pick(["echo ", "", "cat ", "x=", "[[ ", "ls "])}${times(count, unit)}${times(random.pick([1, count]), end)}`;
}

function mutate(random: Random, known: readonly string[]): string {
  let text = random.pick(known);
  for (let change = 1 + random.number(3); change > 0; change--) {
    const from = random.number(text.length + 1);
    const to = Math.min(text.length, from + random.number(12));
    const middle = text.slice(from, to);
    text =
      text.slice(0, from) +
      random.pick([
        () => times(Math.min(random.pick([2, 5, 30, 200, 2_000]), Math.floor(40_000 / (middle.length + 1))), middle),
        () => "",
        () => random.pick(pieces),
        () => middle + random.pick(known).slice(random.number(10)),
        () => `${random.pick(pieces)}${middle}${random.pick(pieces)}`,
      ])() +
      text.slice(to);
  }
  return text.slice(0, 140_000);
}

function openRandom(seed: number): Random {
  let state = Math.imul(seed, 2_654_435_761);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (below: number) => Math.floor(next() * below);
  const pick: Random["pick"] = (choices) => choices[number(choices.length)] as (typeof choices)[number];
  return { number, pick, size: () => pick([3, 10, 40, 100, 300, 1_000, 3_000, 10_000]) };
}
