// Most of what a model writes only makes the last text longer; that needs no reading of HTML and no new nodes.

export type AppendedText = {
  text: string;
  /** The elements around the place, outermost first. */
  within: readonly string[];
};

const closingTags = /^(?:<\/[a-z0-9]+>\s*)*$/;

/** What was added, when the new HTML is the old one with plain text more at the end of its last element; undefined otherwise. */
export function appendedText(before: string, after: string): AppendedText | undefined {
  const addedLength = after.length - before.length;
  if (addedLength <= 0) return undefined;
  let start = before.length;
  while (start > 0 && before[start - 1] === after[start - 1 + addedLength]) start -= 1;
  // the closing tags stand at the end of both; text that repeats itself may have matched further in
  const tagsAt = before.search(/(?:<\/[a-z0-9]+>\s*)+$/);
  start = Math.max(start, tagsAt);
  const text = after.slice(start, start + addedLength);
  const end = before.slice(start);
  if (tagsAt < 0 || !after.startsWith(before.slice(0, start)) || !closingTags.test(end)) return undefined;
  if (/[<>&\n]/.test(text) || !/[^<>\n]$/.test(before.slice(0, start))) return undefined;
  const within = [...end.matchAll(/<\/([a-z0-9]+)>/g)].map(([, name = ""]) => name).toReversed();
  return { text, within };
}
