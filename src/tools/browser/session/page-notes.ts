/** What happened on the pages since the model last heard of them: in words of the pages, so never to be obeyed. */
export type PageNotes = { add(note: string): void; take(): readonly string[] };

const mostNotes = 12;
const longestNote = 400;

export function openPageNotes(): PageNotes {
  let counts = new Map<string, number>();
  let dropped = 0;
  return {
    add(text) {
      const note = text.length > longestNote ? `${text.slice(0, longestNote).toWellFormed()}…` : text;
      const count = counts.get(note);
      // a page can make the same thing happen a thousand times
      if (count === undefined && counts.size >= mostNotes) dropped++;
      else counts.set(note, (count ?? 0) + 1);
    },
    take() {
      const notes = [...counts].map(([note, count]) => (count > 1 ? `${note} (${count} times)` : note));
      if (dropped > 0) notes.push(`and ${dropped} more`);
      counts = new Map();
      dropped = 0;
      return notes;
    },
  };
}
