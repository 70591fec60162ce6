import type { Word, WordPart } from "unbash";
import { bareUnits, charUnits, type Unit } from "./units.ts";

/** The word after quote removal, when nothing in it could become something else. */
export function literalName(word: Word): string | undefined {
  const units = word.parts ? word.parts.map(literalUnits) : [bareUnits(word.text)];
  let name = "";
  for (const unit of units.flatMap((part) => part ?? [{ kind: "hole", many: true, numeric: false } as const])) {
    if (unit.kind !== "char") return undefined;
    if (unit.mark === "bare" && /[*?[\]{}~$`]/.test(unit.char) && word.text !== "[") return undefined;
    name += unit.char;
  }
  return name;
}

function literalUnits(part: WordPart): Unit[] | undefined {
  switch (part.type) {
    case "Literal":
      return bareUnits(part.text);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return charUnits(part.value, "quoted");
    case "DoubleQuoted": {
      const inner = part.parts.map((child) =>
        child.type === "Literal" ? charUnits(child.value, "quoted") : undefined,
      );
      return inner.every((units) => units !== undefined) ? inner.flat() : undefined;
    }
    default:
      return undefined;
  }
}
