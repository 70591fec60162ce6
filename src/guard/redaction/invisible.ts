// In: a place in a text. Out: how long the character or sequence there is that nobody sees, as itself or written as an escape.

const codes =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";
const controls = "\\u0000-\\u0007\\u000e-\\u001a\\u001c-\\u001f\\u007f";
const escapedCodes =
  "00ad|034f|061c|115f|1160|17b[45]|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0|000[0-7ef]|001[0-9ac-f]|007f|db40\\\\{1,16}ud[c-f][0-9a-f]{2}";
// a backslash of the text's own before such a character is not told apart from the backslash of its escape
const escapeCharacter = "(?:\\\\{0,16}\\u001b|\\\\{1,16}(?:u001b|x1b|033|e))";
const sequence = `(?:${escapeCharacter}\\[|\\u009b)[0-9;:?]{0,24}[A-Za-z]|(?:\\\\{0,16}\\u001b|\\\\{1,16}u001b)(?:[()][A-Z0-9]|[=>78cDEHMNOZ])`;
const title = `${escapeCharacter}\\][^\\u0007\\u001b\\n\\r]{0,200}(?:\\u0007|\\\\{1,16}(?:u0007|x07|a)|${escapeCharacter}\\\\)`;
const entity = "&(?:#(?:173|820[345]|8288|65279)|#x(?:ad|200[b-d]|2060|feff)|shy|zwn?j|ZeroWidthSpace);";
const whole = new RegExp(
  `[${codes}]|\\\\{0,16}[${controls}]|\\udb40[\\udc00-\\udfff]|${sequence}|${title}|\\\\{1,16}u(?:${escapedCodes})|${entity}`,
  "iy",
);
const begun = new RegExp(
  `(?:\\udb40|(?:${escapeCharacter}(?:[([]|$)|\\u009b)[0-9;:?]{0,24}|${escapeCharacter}\\][^\\u0007\\u001b\\n\\r]{0,200}\\u001b?\\\\{0,16}(?:u0{0,3}|x0?)?|` +
    "\\\\{1,16}(?:u[0-9a-f]{0,4}(?:\\\\{1,16}(?:u[0-9a-f]{0,3})?)?|x1?|0?3?)?|&[#0-9A-Za-z]{0,15})$",
  "iy",
);
const backslash = 92;
const mostBackslashes = 16;
/** Longer than any of them. */
const reach = 280;

export const mayStartInvisible = new RegExp(`[${codes}${controls}\\u001b\\u009b\\\\&\\udb40]`, "g");

/** 0: what stands here can be seen; undefined: only what is still to come decides. */
export function invisibleLength(text: string, at: number, isFinal: boolean): number | undefined {
  if (text.charCodeAt(at) === backslash && !mayFollowBackslashes(text, at)) return 0;
  whole.lastIndex = at;
  const match = whole.exec(text);
  if (match) return match[0].length;
  if (isFinal || text.length - at > reach) return 0;
  begun.lastIndex = at;
  return begun.test(text) ? undefined : 0;
}

/** Spares the patterns below most backslashes, of which a text may be full. */
function mayFollowBackslashes(text: string, at: number): boolean {
  let end = at + 1;
  while (end - at <= mostBackslashes && text.charCodeAt(end) === backslash) end++;
  if (end - at > mostBackslashes) return false;
  const code = text.charCodeAt(end);
  return end === text.length || code < 32 || code === 127 || "uxe0UXE".includes(text.charAt(end));
}

export type Visible = { text: string; places: readonly number[] };

/** The text without what nobody sees, and where each of its characters stood. */
export function visibleIn(text: string): Visible {
  const places: number[] = [];
  let visible = "";
  for (let at = 0; at < text.length; ) {
    const length = mayBeInvisible(text.charCodeAt(at)) ? (invisibleLength(text, at, true) ?? 0) : 0;
    if (length === 0) {
      visible += text[at];
      places.push(at);
    }
    at += Math.max(1, length);
  }
  return { text: visible, places };
}

/** Quicker than asking for the length, and true for few. */
export function mayBeInvisible(code: number): boolean {
  return code < 128
    ? code < 32 || code === 38 || code === 92 || code === 127
    : code === 0xad || code >= 0x34f || code === 0x9b;
}
