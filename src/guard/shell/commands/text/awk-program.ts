/** Says what in an awk program reaches outside it; undefined when it only computes and prints. */
export function objectionToAwkProgram(program: string): string | undefined {
  const tokens = readTokens(program, true);
  if (!tokens) return "the program is not understood";
  const objection = objectionToTokens(tokens);
  if (objection) return objection;
  if (!hasSlashInBracket(program)) return undefined;
  // some awks end a pattern at a slash inside [ ]; where that reading is possible it must be harmless too
  const otherReading = readTokens(program, false);
  return otherReading && objectionToTokens(otherReading);
}

type Token = { kind: "word" | "number" | "text" | "pattern" | "sign" | "newline"; text: string };

const forbiddenWords = new Set(["system", "getline", "ENVIRON", "ARGV", "ARGC", "SYMTAB", "FUNCTAB", "extension"]);

function objectionToTokens(tokens: readonly Token[]): string | undefined {
  const output: Output = { printing: false, depth: 0 };
  for (const [at, token] of tokens.entries()) {
    const objection = objectionToToken(token) ?? objectionToOutput(output, token, tokens[at - 1]);
    if (objection) return objection;
  }
  return undefined;
}

function objectionToToken(token: Token): string | undefined {
  if (token.kind === "word" && forbiddenWords.has(token.text)) return `${token.text} is not allowed`;
  if (token.kind !== "sign") return undefined;
  if (token.text === "@") return "@ directives and indirect calls are not allowed";
  return token.text === "|" || token.text === "|&" ? "pipes are not allowed" : undefined;
}

/** Whether a print statement is open, and how deep in parentheses: only outside them `>` writes to a file. */
type Output = { printing: boolean; depth: number };

function objectionToOutput(output: Output, token: Token, before: Token | undefined): string | undefined {
  if (token.kind === "word" && /^printf?$/.test(token.text)) Object.assign(output, { printing: true, depth: 0 });
  // a line that cannot end here goes on in the next one
  if (token.kind === "newline" && output.depth === 0 && endsOperand(before)) output.printing = false;
  if (token.kind !== "sign") return undefined;
  if (/^[([]$/.test(token.text)) output.depth++;
  if (/^[)\]]$/.test(token.text)) output.depth--;
  if (/^[;{}]$/.test(token.text)) output.printing = false;
  const writes = output.printing && output.depth <= 0 && /^>>?$/.test(token.text);
  return writes ? "print may not write to a file" : undefined;
}

/** Undefined when a string or pattern does not end, so that awk would not run it either. */
function readTokens(program: string, bracketsHoldSlashes: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  const parens: (Token | undefined)[] = [];
  let closedBy: Token | undefined;
  let at = 0;
  while (at < program.length) {
    const isPattern = program[at] === "/" && startsPattern(tokens, closedBy);
    if (program[at] === "/" && isPattern === undefined) return undefined;
    const found = isPattern ? readPattern(program, at, bracketsHoldSlashes) : readToken(program, at);
    if (!found) return undefined;
    at = found.end;
    if (!found.token) continue;
    if (found.token.text === "(" && found.token.kind === "sign") parens.push(tokens.at(-1));
    if (found.token.text === ")" && found.token.kind === "sign") closedBy = parens.pop();
    tokens.push(found.token);
  }
  return tokens;
}

type Found = { token?: Token; end: number };

function readToken(program: string, at: number): Found | undefined {
  const match = tokenPattern(at).exec(program)?.[0];
  if (match === undefined) return undefined;
  const end = at + match.length;
  if (/^(?:[ \t\r]|#|\\\r?\n)/.test(match)) return { end };
  if (match === "\n") return { token: { kind: "newline", text: match }, end };
  if (match.startsWith('"')) return { token: { kind: "text", text: match }, end };
  if (/^[A-Za-z_]/.test(match)) return { token: { kind: "word", text: match }, end };
  if (/^\.?\d/.test(match)) return { token: { kind: "number", text: match }, end };
  return { token: { kind: "sign", text: match }, end };
}

function tokenPattern(at: number): RegExp {
  const pattern =
    /[ \t\r]+|#[^\n]*|\\\r?\n|\n|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\|&|\|\||&&|>>|[<>=!]=|\+\+|--|\*\*=?|[-+*/%^]=|!~|[-+*/%^!<>=~?:,;$(){}[\]|@&]/y;
  pattern.lastIndex = at;
  return pattern;
}

function readPattern(program: string, start: number, bracketsHoldSlashes: boolean): Found | undefined {
  let inBracket = false;
  for (let at = start + 1; at < program.length; at++) {
    const char = program[at];
    if (char === "\n") return undefined;
    if (char === "\\") at++;
    else if (inBracket && /^\[[:.=]/.test(program.slice(at, at + 2))) at = endOfNamedClass(program, at);
    else if (inBracket) inBracket = char !== "]" || /\[\^?$/.test(program.slice(start, at));
    else if (char === "[" && bracketsHoldSlashes) inBracket = true;
    else if (char === "/") return { token: { kind: "pattern", text: program.slice(start, at + 1) }, end: at + 1 };
  }
  return undefined;
}

function endOfNamedClass(program: string, open: number): number {
  const close = program.indexOf(`${program[open + 1]}]`, open + 2);
  return close < 0 ? open : close + 1;
}

/** Whether a slash here begins a pattern rather than divides; undefined where awks differ. */
function startsPattern(tokens: readonly Token[], closedBy: Token | undefined): boolean | undefined {
  const last = tokens.at(-1);
  if (last?.kind === "word" && last.text === "length") return undefined;
  if (last?.kind === "sign" && last.text === ")")
    return closedBy?.kind === "word" && /^(?:if|while|for)$/.test(closedBy.text);
  return !endsOperand(last) || last?.text === "print" || last?.text === "printf";
}

const keywords = /^(?:return|else|do|in|case|exit|next|nextfile|delete|BEGIN|END|function|func|if|while|for|switch)$/;

function endsOperand(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === "sign") return /^(?:\)|\]|\+\+|--)$/.test(token.text);
  if (token.kind === "word") return !keywords.test(token.text);
  return token.kind === "number" || token.kind === "text" || token.kind === "pattern";
}

function hasSlashInBracket(program: string): boolean {
  return /\[[^\]\n]*\/|\/[^\]\n]*\]/.test(program);
}
