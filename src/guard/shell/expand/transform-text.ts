/** The parameter operations that change a known text, as bash does them. */

export function removeMatch(text: string, matcher: RegExp, operator: "#" | "##" | "%" | "%%"): string {
  const chars = Array.from(text);
  const longest = operator.length === 2;
  const atStart = operator.startsWith("#");
  for (let step = 0; step <= chars.length; step++) {
    const length = longest ? chars.length - step : step;
    const cut = atStart ? length : chars.length - length;
    const candidate = (atStart ? chars.slice(0, cut) : chars.slice(cut)).join("");
    if (matcher.test(candidate)) return (atStart ? chars.slice(cut) : chars.slice(0, cut)).join("");
  }
  return text;
}

export function replaceMatch(
  text: string,
  matcher: RegExp,
  replacement: string,
  operator: "/" | "//" | "/#" | "/%",
): string {
  const chars = Array.from(text);
  if (operator === "/%") {
    const start = chars.findIndex((_, index) => matcher.test(chars.slice(index).join("")));
    return start < 0 ? text : chars.slice(0, start).join("") + replacement;
  }
  let result = "";
  for (let at = 0; at < chars.length; at++) {
    const length = longestMatch(chars, at, matcher);
    if (length > 0) {
      result += replacement;
      if (operator !== "//") return result + chars.slice(at + length).join("");
      at += length - 1;
    } else result += chars[at];
    if (operator === "/#") return result + chars.slice(at + 1).join("");
  }
  return result;
}

function longestMatch(chars: readonly string[], start: number, matcher: RegExp): number {
  for (let length = chars.length - start; length > 0; length--)
    if (matcher.test(chars.slice(start, start + length).join(""))) return length;
  return 0;
}

export function sliceText(text: string, offset: number, length: number | undefined): string | undefined {
  const chars = Array.from(text);
  const start = offset < 0 ? chars.length + offset : offset;
  if (start < 0 || start > chars.length) return "";
  if (length === undefined) return chars.slice(start).join("");
  const end = length < 0 ? chars.length + length : start + length;
  return end < start ? undefined : chars.slice(start, end).join("");
}

/** Undefined outside ASCII, where the locale decides. */
export function changeCase(text: string, operator: "^" | "^^" | "," | ",,"): string | undefined {
  if (!/^[ -~]*$/.test(text)) return undefined;
  const change = (part: string) => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}
