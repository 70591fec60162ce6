import { type Field, isNumeric, showField } from "../expand/field.ts";
import type { Site } from "../objections.ts";
import { checkPath, knownText } from "../paths/check-path.ts";
import type { CommandRule } from "./command-rule.ts";

/** Operators that look at a file. */
export const fileTests = /^-[abcdefghkprsuwxGLNOS]$/;
export const numberTests = /^-(?:eq|ne|lt|le|gt|ge)$/;
export const fileComparisons = /^-(?:nt|ot|ef)$/;

/** The brackets and `test`: whatever could be an operator is taken for one, so that no reading is missed. */
export const test: CommandRule = (site, args) => {
  const fields = [...args];
  if (site.command === "[") {
    const last = fields.pop();
    if (last?.kind !== "text" || last.text !== "]") site.ask("parse", "[ needs a closing ]");
  }
  for (const [at, field] of fields.entries()) {
    const isNumber = field.kind === "unknown" && field.numeric && !field.many && field.prefix === "";
    const text = isNumber ? "" : knownText(site, field);
    if (text !== undefined) checkWord(site, text, fields[at - 1], fields[at + 1]);
  }
};

function checkWord(site: Site, text: string, before: Field | undefined, after: Field | undefined): void {
  if (text === "-v" || text === "-R") {
    site.deny("re-evaluation", `test ${text} may evaluate what it is given`);
  } else if (fileComparisons.test(text)) {
    if (before) checkPath(site, before, "read");
    if (after) checkPath(site, after, "read");
  } else if (numberTests.test(text)) {
    for (const side of [before, after]) if (side) checkNumber(site, side);
  } else if (fileTests.test(text) && text !== "-a" && after) checkPath(site, after, "read");
  // -a is "and" between two tests and "exists" elsewhere
  else if (text === "-a" && after?.kind === "text" && (!before || /^[~/]|\.\./.test(after.text)))
    checkPath(site, after, "read");
}

function checkNumber(site: Site, side: Field): void {
  const known =
    side.kind === "text" ? isNumeric(side.text) : side.kind === "unknown" && side.numeric && side.prefix === "";
  if (!known) site.deny("re-evaluation", `${showField(side)} is not a literal number`);
}
