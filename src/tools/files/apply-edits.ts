import { quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";
import { holdsMask, unmaskEdit } from "./masked-text.ts";
import { countNewlines, type LineEnding, type TextFile, usualEnding } from "./text-file.ts";

export type TextEdit = { oldText: string; newText: string; all?: boolean | undefined };
/** One replaced stretch: whole lines before and after, with the number of the first in the text as it then was. */
export type Change = { oldLine: number; newLine: number; removed: readonly string[]; added: readonly string[] };
export type Edited = {
  file: TextFile;
  /** The first few of each edit, for showing. */
  changes: readonly Change[];
  replacements: number;
};

const mostLinesNamed = 10;
// a long text that overlaps itself is found again at each character, and compared whole each time
const mostCounted = 100;
const mostChangesShown = 3;
const mostLinesOfOneSide = 8;
const mostLines = 60;
const mostCharacters = 200;

/** Applies each edit to the result of those before it; if one does not fit, none counts. */
export function applyEdits(
  file: TextFile,
  edits: readonly TextEdit[],
  { shown, redact }: { shown: string; redact(text: string): string },
): Edited | Refusal {
  const changes: Change[] = [];
  let replacements = 0;
  let current = file;
  for (const [index, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}` : "The edit";
    const edited = applyEdit(current, unmaskEdit(current.text, normalise(edit), redact));
    if ("refused" in edited) return { refused: `${which} of ${shown} was not made: ${edited.refused}` };
    changes.push(...edited.changes);
    replacements += edited.replacements;
    current = edited.file;
  }
  return { file: current, changes, replacements };
}

// a carriage return is the file's own affair: it is not shown when reading, and kept when writing
function normalise(edit: TextEdit): TextEdit {
  return {
    ...edit,
    oldText: edit.oldText.replaceAll("\r\n", "\n"),
    newText: edit.newText.replaceAll("\r\n", "\n").toWellFormed(),
  };
}

function applyEdit(file: TextFile, edit: TextEdit): Edited | Refusal {
  if (edit.oldText === "") return { refused: "oldText is empty. Give the text to replace, or use write." };
  if (edit.oldText === edit.newText) return { refused: "oldText and newText are the same." };
  const candidates = edit.all
    ? findAll(file.text, edit.oldText, edit.oldText.length, Number.POSITIVE_INFINITY)
    : findAll(file.text, edit.oldText, 1, mostCounted);
  if (candidates.length === 0) return { refused: notFound(file.text, edit.oldText) };
  if (candidates.length > 1 && !edit.all) {
    const lines = nameLines(file.text, candidates);
    return {
      refused: `oldText occurs ${candidates.length < mostCounted ? "" : "at least "}${candidates.length} times (${lines}). Add surrounding lines, or set all to true.`,
    };
  }
  return replaceAt(file, edit, candidates);
}

function findAll(text: string, wanted: string, step: number, most: number): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && found.length < most; at = text.indexOf(wanted, at + step))
    found.push(at);
  return found;
}

function notFound(text: string, oldText: string): string {
  const first = oldText
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");
  if (holdsMask(oldText))
    return "oldText does not occur (0 matches) as it is: it holds a mask, and which words are behind it is not clear. Choose a stretch without one.";
  const near = text.split("\n").flatMap((line, index) => (first && line.trim() === first ? [index + 1] : []));
  if (near.length === 0) return "oldText does not occur (0 matches). Read the file again and copy the text exactly.";
  const place = `its line ${quoteName(first ?? "")} stands on ${joinLines(near)}`;
  return `oldText does not occur (0 matches), but ${place}. Check white space and the lines around it.`;
}

function nameLines(text: string, positions: readonly number[]): string {
  let line = 1;
  let from = 0;
  const lines = positions.map((position) => {
    line += countNewlines(text.slice(from, position));
    from = position;
    return line;
  });
  return joinLines(lines);
}

function joinLines(lines: readonly number[]): string {
  const named = lines.slice(0, mostLinesNamed).join(", ");
  return `${lines.length === 1 ? "line" : "lines"} ${named}${lines.length > mostLinesNamed ? ", …" : ""}`;
}

function replaceAt(file: TextFile, edit: TextEdit, positions: readonly number[]): Edited {
  const { text } = file;
  const usual = usualEnding(file.endings);
  const pieces: string[] = [];
  const endings: LineEnding[] = [];
  const changes: Change[] = [];
  const oldBreaks = countNewlines(edit.oldText);
  const newBreaks = countNewlines(edit.newText);
  let from = 0;
  let breaks = 0;
  for (const position of positions) {
    const between = text.slice(from, position);
    const untouched = file.endings.slice(breaks, breaks + countNewlines(between));
    for (const ending of untouched) endings.push(ending);
    breaks += untouched.length;
    if (changes.length < mostChangesShown) {
      changes.push({ oldLine: breaks + 1, newLine: endings.length + 1, ...wholeLines(text, position, edit) });
    }
    pieces.push(between, edit.newText);
    // a line that was there keeps its ending, a new one gets the usual
    for (let index = 0; index < newBreaks; index++) {
      endings.push((index < oldBreaks ? file.endings[breaks + index] : undefined) ?? usual);
    }
    breaks += oldBreaks;
    from = position + edit.oldText.length;
  }
  pieces.push(text.slice(from));
  for (const ending of file.endings.slice(breaks)) endings.push(ending);
  return { file: { ...file, text: pieces.join(""), endings }, changes, replacements: positions.length };
}

function wholeLines(text: string, position: number, edit: TextEdit): { removed: string[]; added: string[] } {
  const end = position + edit.oldText.length;
  const lineStart = position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;
  const head = text.slice(lineStart, position);
  const replacedLines = head + edit.newText;
  // when whole lines are replaced by whole lines, the line that follows has no part in it
  if (edit.oldText.endsWith("\n") && (replacedLines === "" || replacedLines.endsWith("\n"))) {
    const added = replacedLines === "" ? [] : replacedLines.slice(0, -1).split("\n");
    return { removed: text.slice(lineStart, end - 1).split("\n"), added };
  }
  const nextBreak = text.indexOf("\n", end);
  const lineEnd = nextBreak === -1 ? text.length : nextBreak;
  const added = (replacedLines + text.slice(end, lineEnd)).split("\n");
  return { removed: text.slice(lineStart, lineEnd).split("\n"), added };
}

/** A short excerpt in the manner of a diff: old lines with a minus, new lines with a plus, each with its number. */
export function formatChanges(changes: readonly Change[]): string {
  const lines = changes.flatMap((change) => [
    ...formatSide("-", change.oldLine, change.removed),
    ...formatSide("+", change.newLine, change.added),
  ]);
  if (lines.length <= mostLines) return lines.join("\n");
  return [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`].join("\n");
}

function formatSide(sign: string, firstLine: number, lines: readonly string[]): readonly string[] {
  const shown = lines
    .slice(0, mostLinesOfOneSide)
    .map((line, index) => `${sign}${String(firstLine + index).padStart(6)}\t${cut(line)}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `${sign}      …\t${rest} more lines`] : shown;
}

function cut(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters).toWellFormed()}…` : line;
}
