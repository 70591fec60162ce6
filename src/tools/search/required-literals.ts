// The texts of which one stands in every match of a regular expression: files without any of them need not be looked at.

/** `literals` empty: nothing is certain. */
export type Required = { literals: readonly string[]; spansLines: boolean };

type Choice = readonly string[] | undefined;
type Place = { pieces: readonly string[]; at: number; spansLines: boolean };

const shortestLiteral = 2;
const mostLiterals = 8;

/** For an expression that the engine has already accepted. Whatever this does not know makes nothing certain. */
export function requiredLiterals(source: string): Required {
  const place: Place = { pieces: [...source], at: 0, spansLines: false };
  const choice = readAlternatives(place);
  const isCertain = place.at === place.pieces.length && choice !== undefined && lengthOf(choice) >= shortestLiteral;
  return { literals: isCertain ? choice : [], spansLines: place.spansLines };
}

function readAlternatives(place: Place): Choice {
  const alternatives = [readSequence(place)];
  while (place.pieces[place.at] === "|") {
    place.at++;
    alternatives.push(readSequence(place));
  }
  const known = alternatives.filter((alternative) => alternative !== undefined);
  if (known.length < alternatives.length) return undefined;
  const all = [...new Set(known.flat())];
  return all.length <= mostLiterals ? all : undefined;
}

function readSequence(place: Place): Choice {
  let best: Choice;
  let run = "";
  const endRun = () => {
    if (run !== "") best = better(best, [run]);
    run = "";
  };
  for (;;) {
    const piece = place.pieces[place.at];
    if (piece === undefined || piece === "|" || piece === ")") break;
    const literal = readLiteral(place);
    const choice = literal === undefined ? readOther(place) : undefined;
    const repeat = readRepeat(place);
    if (literal !== undefined && repeat !== "maybe") run += literal;
    if (literal === undefined || repeat !== "once") endRun();
    if (repeat !== "maybe") best = better(best, choice);
  }
  endRun();
  return best;
}

function better(one: Choice, other: Choice): Choice {
  if (!one || !other) return one ?? other;
  return lengthOf(other) > lengthOf(one) ? other : one;
}

function lengthOf(choice: readonly string[]): number {
  return Math.min(...choice.map((literal) => literal.length));
}

/** A character that stands for itself; undefined, and nothing is read, for anything else. */
function readLiteral(place: Place): string | undefined {
  const { pieces, at } = place;
  const piece = pieces[at] ?? "";
  if (piece === "\n") place.spansLines = true;
  if (piece === "\\") {
    const escaped = pieces[at + 1] ?? "";
    if (escaped === "n") place.spansLines = true;
    // letters and digits after a backslash have meanings of their own
    if (!/^[^\p{L}\p{N}\s]$/u.test(escaped)) return undefined;
    place.at += 2;
    return escaped;
  }
  if (/^[\^$.*+?()[\]{}|]$/.test(piece) || !piece.isWellFormed()) return undefined;
  place.at++;
  return piece;
}

function readOther(place: Place): Choice {
  const piece = place.pieces[place.at];
  if (piece === "(") return readGroup(place);
  if (piece === "[") skipClass(place);
  else if (piece === "\\") skipEscape(place);
  else place.at++;
  return undefined;
}

function readGroup(place: Place): Choice {
  const opening = /^\((?:\?(?:<[=!]|<[^>]*>|[a-zA-Z-]*:|[=!]))?/.exec(restOf(place));
  const opened = opening?.[0] ?? "(";
  place.at += [...opened].length;
  const choice = readAlternatives(place);
  place.at++;
  // what only looks ahead or back, or changes the case rules, promises no text
  const promises = opened === "(" || opened === "(?:" || /^\(\?<[^=!]/.test(opened);
  return promises ? choice : undefined;
}

function skipClass(place: Place): void {
  for (place.at++; place.at < place.pieces.length; place.at++) {
    const piece = place.pieces[place.at];
    if (piece === "]") break;
    if (piece === "\\") place.at++;
  }
  place.at++;
}

function skipEscape(place: Place): void {
  const found = /^\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|.)/su.exec(restOf(place));
  place.at += found ? [...found[0]].length : 1;
}

function readRepeat(place: Place): "once" | "more" | "maybe" {
  const repeat = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(restOf(place));
  if (!repeat) return "once";
  place.at += repeat[0].length;
  const [sign = ""] = repeat[0];
  if (sign === "+") return "more";
  return Number(repeat[1] ?? 0) > 0 ? "more" : "maybe";
}

function restOf(place: Place): string {
  return place.pieces.slice(place.at).join("");
}
