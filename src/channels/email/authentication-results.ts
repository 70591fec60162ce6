// The header in which a mail server says what it found out about a sender (RFC 8601). Parts of it are chosen by that sender, so it is
// read strictly: what is not well formed says nothing.

export type AuthenticationResults = { server: string; results: readonly AuthenticationResult[] };
/** Such as dkim=pass header.d=example.org; `properties` in the order in which they stand. */
export type AuthenticationResult = {
  method: string;
  result: string;
  properties: readonly { name: string; value: string }[];
};

type Token = { kind: "word" | "quoted" | "mark"; text: string };

const mostCharacters = 20_000;

export function readAuthenticationResults(value: string): AuthenticationResults | undefined {
  const tokens = value.length > mostCharacters ? undefined : tokensOf(value);
  if (!tokens) return undefined;
  const [head = [], ...rest] = splitAt(tokens, ";");
  const [server, version, ...more] = head;
  const isVersion = version === undefined || /^\d+$/.test(version.text);
  if (!server || server.kind === "mark" || !isVersion || more.length > 0) return undefined;
  const results = rest
    .map(pairsOf)
    .flatMap(([first, ...properties]) =>
      first ? [{ method: first.name.replace(/\/.*$/, ""), result: first.value, properties }] : [],
    );
  return { server: server.text.toLowerCase(), results };
}

/** name = value, again and again; nothing if it is anything else. */
function pairsOf(tokens: readonly Token[]): { name: string; value: string }[] {
  const pairs: { name: string; value: string }[] = [];
  for (let at = 0; at < tokens.length; at += 3) {
    const [name, equals, value] = tokens.slice(at, at + 3);
    if (name?.kind !== "word" || equals?.text !== "=" || equals.kind !== "mark") return [];
    if (!value || value.kind === "mark") return [];
    pairs.push({ name: name.text.toLowerCase(), value: value.text.toLowerCase() });
  }
  return pairs;
}

function splitAt(tokens: readonly Token[], mark: string): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "mark" && token.text === mark) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Comments are left out, whatever they hold. Undefined: a comment or a quoted text never ends. */
function tokensOf(value: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < value.length) {
    const sign = value[at] ?? "";
    if (/\s/.test(sign)) at++;
    else if (sign === "(") {
      const end = endOfComment(value, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (sign === '"') {
      const end = endOfQuoted(value, at);
      if (end === undefined) return undefined;
      tokens.push({ kind: "quoted", text: value.slice(at + 1, end - 1).replace(/\\(.)/gs, "$1") });
      at = end;
    } else if (sign === ";" || sign === "=") {
      tokens.push({ kind: "mark", text: sign });
      at++;
    } else {
      // a value such as a signature may hold = itself, but what is compared here never does
      const [word = sign] = /^[^\s();="]+/.exec(value.slice(at, at + 2_000)) ?? [];
      tokens.push({ kind: "word", text: word });
      at += word.length;
    }
  }
  return tokens;
}

function endOfComment(value: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === "(") depth++;
    else if (value[at] === ")" && --depth === 0) return at + 1;
  }
  return undefined;
}

function endOfQuoted(value: string, from: number): number | undefined {
  for (let at = from + 1; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === '"') return at + 1;
  }
  return undefined;
}
