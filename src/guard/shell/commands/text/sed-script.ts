/** Says what in a sed script is not allowed; undefined when all of it only edits text. */
export function objectionToSedScript(script: string): string | undefined {
  const reader: Reader = { script, at: 0 };
  while (reader.at < script.length) {
    const objection = readCommand(reader);
    if (objection) return objection;
  }
  return undefined;
}

type Reader = { script: string; at: number };

const notUnderstood = "the script is not understood";

function readCommand(reader: Reader): string | undefined {
  skip(reader, /[\s;]*/y);
  if (reader.at >= reader.script.length) return undefined;
  if (peek(reader) === "#") return void skip(reader, /[^\n]*/y);
  if (!readAddresses(reader)) return notUnderstood;
  skip(reader, /[ \t]*(?:![ \t!]*)?/y);
  const name = peek(reader);
  reader.at++;
  if (name === "") return notUnderstood;
  if ("erRwW".includes(name)) return `the command ${name} runs a command or opens a file`;
  if ("{}".includes(name)) return undefined;
  if ("aic".includes(name)) return readText(reader);
  if (name === "s") return readSubstitution(reader);
  const argument = argumentOf(name);
  if (argument) skip(reader, argument);
  else if (name !== "y" || !readDelimited(reader, 2, false)) return notUnderstood;
  return readEnd(reader);
}

/** What may follow the name of a harmless command. */
function argumentOf(name: string): RegExp | undefined {
  if ("=dDgGhHnNpPxzF".includes(name)) return /[ \t]*/y;
  if ("qQlL".includes(name)) return /[ \t]*\d*/y;
  if ("btT:".includes(name)) return /[ \t]*[\w.-]*/y;
  return name === "v" ? /[ \t]*[\d.]*/y : undefined;
}

/** After a command comes a separator, a closing brace or a comment; anything else is a construct we do not know. */
function readEnd(reader: Reader): string | undefined {
  skip(reader, /[ \t]*/y);
  return reader.at >= reader.script.length || ";\n}#".includes(peek(reader)) ? undefined : notUnderstood;
}

/** False when what stands before the command is no address. */
function readAddresses(reader: Reader): boolean {
  if (!startsAddress(reader)) return true;
  if (!readAddress(reader)) return false;
  skip(reader, /[ \t]*/y);
  if (peek(reader) !== ",") return true;
  reader.at++;
  skip(reader, /[ \t]*/y);
  return skip(reader, /[+~]\d+/y) || (startsAddress(reader) && readAddress(reader));
}

function startsAddress(reader: Reader): boolean {
  return /[\d$/\\]/.test(peek(reader));
}

function readAddress(reader: Reader): boolean {
  if (skip(reader, /\d+(?:~\d+)?|\$/y)) return true;
  if (peek(reader) === "\\") reader.at++;
  if (!readDelimited(reader, 1, true)) return false;
  skip(reader, /[IM]*/y);
  return true;
}

function readSubstitution(reader: Reader): string | undefined {
  if (!readDelimited(reader, 2, true)) return notUnderstood;
  const start = reader.at;
  skip(reader, /[gpiImMew\d]*/y);
  const flags = reader.script.slice(start, reader.at);
  if (/[ew]/.test(flags)) return "the flags e and w of s run a command or write a file";
  return readEnd(reader);
}

/** `parts` texts between delimiters; a backslash takes the next character with it. */
function readDelimited(reader: Reader, parts: number, isPattern: boolean): boolean {
  const delimiter = peek(reader);
  if (delimiter === "" || delimiter === "\\" || delimiter === "\n") return false;
  reader.at++;
  for (let part = 0; part < parts; part++) {
    const start = reader.at;
    for (; peek(reader) !== delimiter; reader.at++) {
      if (peek(reader) === "" || peek(reader) === "\n") return false;
      if (peek(reader) === "\\") reader.at++;
    }
    // a delimiter inside [ ] ends the pattern for one sed and not for another
    if (isPattern && part === 0 && endsInBracket(reader.script.slice(start, reader.at))) return false;
    reader.at++;
  }
  return true;
}

function endsInBracket(pattern: string): boolean {
  const unescaped = pattern.replaceAll(/\\[\s\S]/g, "x");
  const complete = unescaped.replaceAll(/\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/g, "");
  return complete.includes("[");
}

/** The text of a, i and c goes to the end of the line; an escaped newline continues it. */
function readText(reader: Reader): string | undefined {
  skip(reader, /[ \t]*/y);
  if (reader.at >= reader.script.length) return notUnderstood;
  skip(reader, /(?:\\[\s\S]|[^\\\n])*\\?/y);
  return undefined;
}

function peek(reader: Reader): string {
  return reader.script[reader.at] ?? "";
}

/** Moves past what the sticky pattern matches; false when it matches nothing. */
function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const length = pattern.exec(reader.script)?.[0].length ?? 0;
  reader.at += length;
  return length > 0;
}
