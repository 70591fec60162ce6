/** Characters that could hide or reorder what a person approves are shown by their number instead. */
export function showControls(text: string): string {
  return text.replace(
    /[^\P{C}\n\t]|[\u2028\u2029\u00a0\u00ad]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
