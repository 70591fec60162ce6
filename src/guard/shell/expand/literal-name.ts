import type { Word, WordPart } from "unbash";
import { bareUnits, charUnits, hole, type Unit } from "./units.ts";

/** The word after quote removal, when nothing in it could become something else. */
export function literalName(word: Word): string | undefined {
  let name = "";
  for (const unit of word.parts?.flatMap(literalUnits) ?? bareUnits(word.text)) {
    if (unit.kind !== "char") return undefined;
    if (unit.mark === "bare" && /[*?[\]{}~$`]/.test(unit.char) && word.text !== "[") return undefined;
    name += unit.char;
  }
  return name;
}

function literalUnits(part: WordPart): Unit[] {
  switch (part.type) {
    case "Literal":
      return bareUnits(part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return charUnits(part.value, "quoted");
    case "DoubleQuoted":
      return part.parts.flatMap((child) =>
        child.type === "Literal" ? charUnits(child.value, "quoted") : [hole(true)],
      );
    default:
      return [hole(true)];
  }
}
