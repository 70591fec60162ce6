import type { Field } from "../expand/field.ts";
import type { Site } from "../objections.ts";
import { type Access, checkPath, knownText, refuseUnknown } from "../paths/check-path.ts";
import {
  type Call,
  type OptionKind,
  type OptionNames,
  optionTable,
  type ParseStyle,
  parseArguments,
} from "./parse-arguments.ts";

/** Looks at one call of a command and objects to what it may not do. */
export type CommandRule = (site: Site, args: readonly Field[]) => void;

type TableRule = Omit<ParseStyle, "table"> & {
  options: OptionNames;
  /** What the operands are; a function decides for itself. */
  operands: "read" | "write" | "data" | ((site: Site, call: Call) => void);
  /** What the table cannot say. */
  check?: (site: Site, call: Call) => void;
};

export function tableRule(rule: TableRule): CommandRule {
  const style = { ...rule, table: optionTable(rule.options) };
  return (site, args) => {
    const call = parseArguments(site, style, args);
    for (const option of call.options) checkOptionValue(site, option.kind, option.value);
    if (typeof rule.operands === "function") rule.operands(site, call);
    else for (const operand of call.operands) checkOperand(site, operand, rule.operands);
    rule.check?.(site, call);
  };
}

export function checkOptionValue(site: Site, kind: OptionKind, value: Field | undefined): void {
  if (!value || kind === "message") {
    if (value?.kind === "unknown" && value.many) refuseUnknown(site, value);
    return;
  }
  if (kind === "read") checkInput(site, value);
  else if (kind === "write" || kind === "optional-write") checkInput(site, value, "write");
  else if (kind !== "number" || value.kind !== "unknown" || !value.numeric || value.prefix !== "")
    knownText(site, value);
}

function checkOperand(site: Site, operand: Field, kind: "read" | "write" | "data"): void {
  if (kind === "read") checkInput(site, operand);
  else if (kind === "write") checkPath(site, operand, "write");
  else knownText(site, operand);
}

/** A file; `-` is standard input or output. */
export function checkInput(site: Site, field: Field, access: Access = "read"): void {
  if (field.kind !== "text" || field.text !== "-") checkPath(site, field, access);
}

/** For commands that take both as their operands, in this order. */
export function checkInputAndOutput(site: Site, { operands: [input, output, extra] }: Call, name = site.command): void {
  if (input) checkInput(site, input);
  if (output) checkPath(site, output, "write");
  if (extra) site.ask("option", `${name} takes one input and one output`);
}
