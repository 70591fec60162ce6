// Two texts in, the lines that go and come out: what a person sees of a change before it is made.
import { count } from "../words/amounts.ts";

type Line = { sign: "-" | "+" | " "; text: string };
export type LineDiff = { removed: number; added: number; text: string };

const context = 3;
// beyond this many changed lines the shortest way is not looked for: what differs goes and comes whole
const mostChanges = 400;
const mostRemovedInARow = 200;

/** Every line that comes is shown; of very many that go in a row, the first ones and how many more. */
export function diffLines(before: string, after: string): LineDiff {
  const isMarked = before.endsWith("\n") !== after.endsWith("\n");
  const lines = compare(linesOf(before, isMarked), linesOf(after, isMarked));
  const tally = (sign: Line["sign"]) => lines.filter((line) => line.sign === sign).length;
  return { removed: tally("-"), added: tally("+"), text: [...shownLines(lines)].join("\n") };
}

// a last line without an end differs from one that has it
function linesOf(text: string, isMarked: boolean): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const last = lines.pop();
  // no other line holds a line end, so that none can pass for this one
  return last === "" ? lines : [...lines, isMarked ? `${last}\n` : `${last}`];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [left, right] = [before.length, after.length];
  while (left > start && right > start && before[left - 1] === after[right - 1]) [left, right] = [left - 1, right - 1];
  const middle = shortestWay(before.slice(start, left), after.slice(start, right));
  return [...signed(" ", before.slice(0, start)), ...middle, ...signed(" ", before.slice(left))];
}

function signed(sign: Line["sign"], lines: readonly string[]): Line[] {
  return lines.map((text) => ({ sign, text }));
}

/** How far one gets on a diagonal of the table of both texts, and by which changes, the last first. */
type Way = { x: number; changes: Change | undefined };
type Change = { sign: "-" | "+"; at: number; earlier: Change | undefined };

/** The algorithm of Myers: every diagonal gets one change further, until one gets to the end. */
function shortestWay(before: readonly string[], after: readonly string[]): Line[] {
  let ways = new Map<number, Way>([[1, { x: 0, changes: undefined }]]);
  for (let number = 0; number <= Math.min(mostChanges, before.length + after.length); number++) {
    const next = new Map<number, Way>();
    for (let diagonal = -number; diagonal <= number; diagonal += 2) {
      const way = number === 0 ? { x: 0, changes: undefined } : oneFurther(ways, diagonal);
      while (way.x < before.length && way.x - diagonal < after.length && before[way.x] === after[way.x - diagonal])
        way.x++;
      if (way.x >= before.length && way.x - diagonal >= after.length) return along(way.changes, before, after);
      next.set(diagonal, way);
    }
    ways = next;
  }
  return [...signed("-", before), ...signed("+", after)];
}

function oneFurther(ways: ReadonlyMap<number, Way>, diagonal: number): Way {
  const [adding, removing] = [ways.get(diagonal + 1), ways.get(diagonal - 1)];
  if (removing && (!adding || adding.x <= removing.x))
    return { x: removing.x + 1, changes: { sign: "-", at: removing.x, earlier: removing.changes } };
  const { x, changes } = adding ?? { x: 0, changes: undefined };
  return { x, changes: { sign: "+", at: x - diagonal - 1, earlier: changes } };
}

function along(last: Change | undefined, before: readonly string[], after: readonly string[]): Line[] {
  const changes: Change[] = [];
  for (let change = last; change; change = change.earlier) changes.unshift(change);
  const lines: Line[] = [];
  let [x, y] = [0, 0];
  for (const { sign, at } of changes) {
    const same = sign === "-" ? at - x : at - y;
    for (const line of signed(" ", before.slice(x, x + same))) lines.push(line);
    lines.push({ sign, text: (sign === "-" ? before : after)[at] ?? "" });
    [x, y] = [x + same + (sign === "-" ? 1 : 0), y + same + (sign === "+" ? 1 : 0)];
  }
  return [...lines, ...signed(" ", before.slice(x))];
}

function* shownLines(lines: readonly Line[]): Generator<string> {
  const near = nearChanges(lines);
  let [hidden, removed] = [0, 0];
  for (const [index, { sign, text }] of [...lines, { sign: " ", text: "" } as const].entries()) {
    removed = sign === "-" ? removed + 1 : removed;
    const isEnd = index === lines.length;
    if (sign !== "-" && removed > mostRemovedInARow)
      yield `- … and ${count(removed - mostRemovedInARow, "more line")} that go`;
    if (sign !== "-") removed = 0;
    const isHidden = !isEnd && !near.has(index);
    if (!isHidden && hidden > 0) yield `  … ${count(hidden, "line")} as before`;
    hidden = isHidden ? hidden + 1 : 0;
    if (!isEnd && !isHidden && removed <= mostRemovedInARow)
      yield `${sign} ${text.replace("\n", " (without a line end)")}`;
  }
}

function nearChanges(lines: readonly Line[]): ReadonlySet<number> {
  const near = new Set<number>();
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue;
    for (let at = index - context; at <= index + context; at++) near.add(at);
  }
  return near;
}
