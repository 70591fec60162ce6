// A model reads files with their secrets masked. Where it copies such a mask into an edit, the words of the file are meant.
// as the redactor writes it; a beginning that it keeps is followed by an ellipsis
const mask = /…?\[redacted:[a-z0-9-]{1,40}\]/g;

// each such edit looks through the whole text for secrets
const longestMasked = 200_000;

/** A mask in the text that was shown, and the stretch of the file that it stands for. */
type Hidden = { shown: string; shownAt: number; from: number; to: number };

/** The same edit in the words of the file; as it is, when it holds no mask or a mask stands in the file itself. */
export function unmaskEdit<Edit extends { oldText: string; newText: string }>(
  text: string,
  edit: Edit,
  redact: (text: string) => string,
): Edit {
  if (!holdsMask(edit.oldText) || text.length > longestMasked || text.includes(edit.oldText)) return edit;
  const shown = redact(text);
  const hidden = align(text, shown);
  const at = shown.indexOf(edit.oldText);
  // which of several is meant, the tool asks about; what differs in each cannot be replaced in all at once
  if (!hidden || at === -1 || shown.indexOf(edit.oldText, at + 1) !== -1) return edit;
  const end = at + edit.oldText.length;
  const touched = hidden.filter(({ shownAt, shown: { length } }) => shownAt < end && shownAt + length > at);
  const inside = touched.filter(({ shownAt, shown: { length } }) => shownAt >= at && shownAt + length <= end);
  if (inside.length < touched.length) return edit;
  const [from, to] = [placeIn(hidden, at), placeIn(hidden, end)];
  const stretches = inside.map((one) => ({ shown: one.shown, raw: text.slice(one.from, one.to) }));
  const newText = putBack(edit.newText, linesBetween(text, shown, hidden, at, end), stretches);
  if (newText === undefined) return edit;
  // what was masked must be so afterwards: an edit must not bring it into the open
  const after = redact(text.slice(0, from) + newText + text.slice(to));
  const meant = redact(shown.slice(0, at) + edit.newText + shown.slice(end));
  return after === meant ? { ...edit, oldText: text.slice(from, to), newText } : edit;
}

/** A mask in a new content behind which words of the old one would be lost. */
export function lostBehindMask(text: string, content: string, redact: (text: string) => string): string | undefined {
  const masks = new Set(content.match(mask) ?? []);
  if (masks.size === 0) return undefined;
  return redact(text)
    .match(mask)
    ?.find((shown) => masks.has(shown) && !text.includes(shown));
}

export function holdsMask(text: string): boolean {
  return text.search(mask) !== -1;
}

/** What lies between two masks stands in the file too; undefined when it is not certain where. */
function align(text: string, shown: string): readonly Hidden[] | undefined {
  const masks = [...shown.matchAll(mask)];
  // what is shown before each mask, and after the last
  const literals = [
    ...masks.map((found, index) => shown.slice(endOf(masks[index - 1]), found.index)),
    shown.slice(endOf(masks.at(-1))),
  ];
  const forward = placesForward(text, literals);
  const backward = placesBackward(text, literals);
  if (!forward || !backward || forward.some((place, index) => place !== backward[index])) return undefined;
  return masks.map((found, index) => {
    const from = (forward[index] ?? 0) + (literals[index] ?? "").length;
    return { shown: found[0], shownAt: found.index, from, to: forward[index + 1] ?? text.length };
  });
}

function endOf(found: RegExpExecArray | undefined): number {
  return found ? found.index + found[0].length : 0;
}

function placesForward(text: string, literals: readonly string[]): readonly number[] | undefined {
  const places: number[] = [];
  let from = 0;
  for (const [index, literal] of literals.entries()) {
    const isLast = index === literals.length - 1;
    const place = isLast ? text.length - literal.length : text.indexOf(literal, from);
    if (place < from || !text.startsWith(literal, place) || (index === 0 && place !== 0)) return undefined;
    places.push(place);
    from = place + literal.length;
  }
  return places;
}

function placesBackward(text: string, literals: readonly string[]): readonly number[] | undefined {
  const places: number[] = [];
  let before = text.length;
  for (const [index, literal] of [...literals.entries()].reverse()) {
    const place = index === 0 ? 0 : text.lastIndexOf(literal, before - literal.length);
    if (place < 0 || place + literal.length > before || !text.startsWith(literal, place)) return undefined;
    places.unshift(place);
    before = place;
  }
  return places;
}

/** Where in the file a place of the shown text lies. */
function placeIn(hidden: readonly Hidden[], shownPlace: number): number {
  const last = hidden.findLast(({ shownAt, shown }) => shownAt + shown.length <= shownPlace);
  return last ? last.to + shownPlace - last.shownAt - last.shown.length : shownPlace;
}

type Lines = readonly { shown: string; raw: string }[];

/** The new text in the words of the file; undefined where it is not certain which words a mask stands for. */
function putBack(newText: string, region: Lines, inside: readonly Stretch[]): string | undefined {
  const lines = newText.split("\n").map((line) => {
    if (!holdsMask(line)) return line;
    const same = new Set(region.flatMap(({ shown, raw }) => (shown === line ? [raw] : [])));
    return same.size === 1 ? [...same][0] : putBackInLine(line, inside);
  });
  return lines.every((line) => line !== undefined) ? lines.join("\n") : undefined;
}

// a line that was changed: each of its masks must stand for one thing only; one that stood nowhere is a word like others
function putBackInLine(line: string, inside: readonly Stretch[]): string | undefined {
  let isCertain = true;
  const text = line.replace(mask, (shown) => {
    const meant = new Set(inside.flatMap((one) => (one.shown === shown ? [one.raw] : [])));
    isCertain &&= meant.size <= 1;
    return [...meant][0] ?? shown;
  });
  return isCertain ? text : undefined;
}

type Stretch = { shown: string; raw: string };

function linesBetween(text: string, shown: string, hidden: readonly Hidden[], at: number, end: number): Lines {
  const lines: { shown: string; raw: string }[] = [];
  let from = at;
  for (const line of shown.slice(at, end).split("\n")) {
    const raw = text.slice(placeIn(hidden, from), placeIn(hidden, from + line.length));
    lines.push({ shown: line, raw });
    from += line.length + 1;
  }
  return lines;
}
