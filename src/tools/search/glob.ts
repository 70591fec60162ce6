// Names by pattern: `*` and `?` within a name, `**` over folders, `{a,b}` for either, `!` in front for all others.
import { quoteName } from "../paths/escape-text.ts";
import type { Refusal } from "../paths/refusal.ts";

export type Glob = { matches(path: string): boolean };

const mostAlternatives = 256;
const longestPattern = 1000;

/** A pattern without a slash is compared with the name alone, wherever it lies. */
export function readGlob(pattern: string): Glob | Refusal {
  if (pattern.length > longestPattern) return { refused: `The pattern has more than ${longestPattern} characters.` };
  const isInverted = pattern.startsWith("!");
  const wanted = pattern.slice(isInverted ? 1 : 0).replace(/^(?:\.?\/)+/, "");
  if (wanted === "") return { refused: `The pattern ${quoteName(pattern)} is empty. Use ** for everything.` };
  const alternatives = expandBraces(wanted);
  if (!alternatives) {
    return { refused: `The pattern ${quoteName(pattern)} stands for more than ${mostAlternatives} patterns.` };
  }
  // what ends in ** means what lies below, not the folder itself
  const compiled = alternatives.map((alternative) =>
    alternative
      .replace(/\/$/, "")
      .replace(/\/\*\*$/, "/**/*")
      .split("/"),
  );
  return { matches: (path) => compiled.some((segments) => matchesPath(segments, path)) !== isInverted };
}

/** The names of folders that a pattern spells out. */
export function namedFolders(pattern: string): readonly string[] {
  return (expandBraces(pattern) ?? []).flatMap((alternative) => alternative.replace(/^!/, "").split("/"));
}

function matchesPath(segments: readonly string[], path: string): boolean {
  const [only] = segments;
  if (segments.length === 1 && only !== undefined && only !== "**") {
    return matchesName(only, path.slice(path.lastIndexOf("/") + 1));
  }
  return matchesSequence(segments, path.split("/"), (segment) => segment === "**", matchesName);
}

function matchesName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  return matchesSequence([...pattern], [...name], (character) => character === "*", matchesCharacter);
}

function matchesCharacter(pattern: string, character: string): boolean {
  return pattern === "?" || pattern === character;
}

// going back only to the last star is enough, so no pattern can take longer than pattern times text
function matchesSequence(
  pattern: readonly string[],
  items: readonly string[],
  isStar: (piece: string) => boolean,
  fits: (piece: string, item: string) => boolean,
): boolean {
  let at = 0;
  let item = 0;
  let star = -1;
  let starItem = 0;
  while (item < items.length) {
    const piece = pattern[at];
    const wanted = items[item];
    if (piece !== undefined && isStar(piece)) {
      star = at++;
      starItem = item;
    } else if (piece !== undefined && wanted !== undefined && fits(piece, wanted)) {
      at++;
      item++;
    } else if (star >= 0) {
      at = star + 1;
      item = ++starItem;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isStar);
}

/** Every pattern that the braces stand for; undefined when there are too many. A brace without a partner is a character. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const waiting = [pattern];
  const finished: string[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (!group) finished.push(next);
    else {
      const [whole, inner = ""] = group;
      const before = next.slice(0, group.index);
      const after = next.slice(group.index + whole.length);
      for (const choice of inner.split(",")) waiting.push(before + choice + after);
    }
    if (waiting.length + finished.length > mostAlternatives) return undefined;
  }
  return finished;
}
