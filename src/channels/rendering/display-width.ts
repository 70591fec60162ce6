// How many columns words take where every letter is equally wide.
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const unseen = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Emoji_Modifier})$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it means nothing but letters of one column
const narrow = /^[\u0000-\u02ff]*$/;

export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  let isJoined = false;
  for (const character of text) {
    // what a zero-width joiner ties together is shown as one
    if (!isJoined && !unseen.test(character)) width += wide.test(character) ? 2 : 1;
    isJoined = character === "\u200d";
  }
  return width;
}
