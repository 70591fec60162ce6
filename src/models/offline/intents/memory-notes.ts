import { isSameWord, wordsIn } from "./recall/same-word.ts";

export const memoryPath = "MEMORY.md";

/** One entry of the memory file: a list item and the indented lines below it. */
export type Note = { from: number; to: number; text: string };

export function readNotes(lines: readonly string[]): readonly Note[] {
  const notes: Note[] = [];
  for (const [index, line] of lines.entries()) {
    const item = /^[-*] +(.+)$/.exec(line)?.[1];
    const last = notes.at(-1);
    if (item !== undefined) notes.push({ from: index, to: index, text: item.trim() });
    else if (last && last.to === index - 1 && /^\s+\S/.test(line)) {
      last.to = index;
      last.text += `\n${line}`;
    }
  }
  return notes;
}

/** The note without the date before it. */
export function noteText(note: Note): string {
  return note.text.replace(/^\d{4}-\d{2}-\d{2}:\s*/, "");
}

/** The notes that share the most words with the query; none when they share no word. */
export function bestMatches(notes: readonly Note[], query: string): readonly Note[] {
  const wanted = wordsOf(query);
  const scored = notes.map((note) => {
    const present = wordsOf(note.text);
    return { note, score: wanted.filter((word) => present.some((other) => isSameWord(word, other))).length };
  });
  const best = Math.max(1, ...scored.map(({ score }) => score));
  return scored.filter(({ score }) => score === best).map(({ note }) => note);
}

/** The notes that have all words of the query. */
export function wholeMatches(notes: readonly Note[], query: string): readonly Note[] {
  const wanted = wordsOf(query);
  return notes.filter((note) => {
    const present = wordsOf(note.text);
    return wanted.length > 0 && wanted.every((word) => present.some((other) => isSameWord(word, other)));
  });
}

const littleWords = new Set(
  `a an the of in on at to for and or is are was be do does did my your our his her their me you it that this about
   with what who when where which how i we`.split(/\s+/),
);

function wordsOf(text: string): readonly string[] {
  return wordsIn(text).filter((word) => word.length > 1 && !littleWords.has(word));
}
