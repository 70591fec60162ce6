const forbidden = new Set(["env", "import", "include", "modulemeta", "get_search_list"]);

/** Says what in a jq filter reaches outside the data; undefined when nothing does. */
export function objectionToJqFilter(filter: string): string | undefined {
  const code = codeOutsideStrings(filter);
  if (code === undefined) return "the filter is not understood";
  if (/\$\s*(?:__prog_args\b|ENV\b)/.test(code)) return "$ENV is not allowed";
  for (const match of code.matchAll(/[A-Za-z_]\w*/g)) {
    if (!forbidden.has(match[0])) continue;
    const before = code.slice(0, match.index);
    const after = code.slice(match.index + match[0].length);
    // .env and $env name data; {env: 1} names a key
    const namesData = /(?:\.|\$|\?\/\/\s*\.)$/.test(before) && !/\.\.$/.test(before);
    const isKey = /[{,]\s*$/.test(before) && /^\s*:(?!:)/.test(after);
    if (!namesData && !isKey) return `${match[0]} is not allowed`;
  }
  return undefined;
}

/** The filter with its strings and comments blanked out; what is interpolated in a string is code and stays. */
function codeOutsideStrings(filter: string): string | undefined {
  const reader: Reader = { filter, at: 0, code: "" };
  return readCode(reader, false) ? reader.code : undefined;
}

type Reader = { filter: string; at: number; code: string };

/** False when something that was opened is never closed. */
function readCode(reader: Reader, interpolated: boolean): boolean {
  for (let depth = 0; reader.at < reader.filter.length; ) {
    const char = reader.filter[reader.at++] ?? "";
    if (char === ")" && interpolated && depth === 0) return true;
    const ends = char === '"' ? readString(reader) : char !== "#" || skipComment(reader);
    if (!ends) return false;
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (char !== '"' && char !== "#") reader.code += char;
  }
  return !interpolated;
}

function readString(reader: Reader): boolean {
  reader.code += " ";
  while (reader.at < reader.filter.length) {
    const char = reader.filter[reader.at++];
    if (char === '"') return true;
    if (char !== "\\") continue;
    const escaped = reader.filter[reader.at++];
    if (escaped === "(" && !readCode(reader, true)) return false;
    reader.code += " ";
  }
  return false;
}

/** A backslash at its end continues a comment in one jq and not in another. */
function skipComment(reader: Reader): boolean {
  const end = reader.filter.indexOf("\n", reader.at);
  const comment = reader.filter.slice(reader.at, end < 0 ? undefined : end);
  reader.at += comment.length;
  return !/\\\r?$/.test(comment);
}
