export type Calculation = { value: number } | { problem: string };

const maxDepth = 50;
const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

/** The value of a sum such as `3 * (4 + 5)^2` or `15% of 80`; undefined when the text is no such thing. */
export function calculate(text: string): Calculation | undefined {
  const tokens = tokenise(text);
  // a number alone is no question
  if (!tokens || tokens.length < 2) return undefined;
  let at = 0;
  let dividesByZero = false;
  const value = sum(0);
  if (value === undefined || at < tokens.length) return undefined;
  if (dividesByZero) return { problem: "Nothing can be divided by zero." };
  if (!Number.isFinite(value)) return { problem: "The result is too large for me." };
  return { value: Number(value.toPrecision(12)) };

  function sum(depth: number): number | undefined {
    return chain(["+", "-"], () => product(depth));
  }

  function product(depth: number): number | undefined {
    return chain(["*", "/", "%"], () => power(depth));
  }

  function chain(signs: readonly string[], operand: () => number | undefined): number | undefined {
    let left = operand();
    while (left !== undefined && signs.includes(tokens?.[at] ?? "")) {
      const sign = tokens?.[at++] ?? "";
      const right = operand();
      if (right === undefined) return undefined;
      if ((sign === "/" || sign === "%") && right === 0) dividesByZero = true;
      left = operations[sign]?.(left, right);
    }
    return left;
  }

  function power(depth: number): number | undefined {
    if (depth > maxDepth) return undefined;
    if (tokens?.[at] === "-") {
      at++;
      const negated = power(depth + 1);
      return negated === undefined ? undefined : -negated;
    }
    const base = atom(depth);
    if (base === undefined || tokens?.[at] !== "^") return base;
    at++;
    const exponent = power(depth + 1);
    return exponent === undefined ? undefined : base ** exponent;
  }

  function atom(depth: number): number | undefined {
    const token = tokens?.[at++];
    if (token !== "(") return token !== undefined && /^[\d.]/.test(token) ? percentOf(Number(token)) : undefined;
    const inner = sum(depth + 1);
    return tokens?.[at++] === ")" && inner !== undefined ? percentOf(inner) : undefined;
  }

  // a percent sign with nothing to divide after it is a hundredth
  function percentOf(value: number): number {
    if (tokens?.[at] !== "%" || /^[\d(.]/.test(tokens[at + 1] ?? "")) return value;
    at++;
    return value / 100;
  }
}

function tokenise(text: string): string[] | undefined {
  const plain = text
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "")
    .replace(/\bpercent\b/g, "%")
    .replace(/%\s*of\b/g, "% *")
    .replace(/\bplus\b/g, "+")
    .replace(/\bminus\b|[−–]/g, "-")
    .replace(/\b(?:times|multiplied by)\b|×|(?<=\d)\s*x\s*(?=\d)/g, "*")
    .replace(/\b(?:divided by|over)\b|÷/g, "/")
    .replace(/\bmod(?:ulo)?\b/g, "%")
    .replace(/\b(?:to the power of)\b|\*\*/g, "^")
    .replace(/\bsquared\b/g, "^ 2");
  const tokens = plain.match(/\d+(?:\.\d+)?|\.\d+|\S/g) ?? [];
  return tokens.every((token) => /^(?:[\d.]*\d|[-+*/%^()])$/.test(token)) ? tokens : undefined;
}
