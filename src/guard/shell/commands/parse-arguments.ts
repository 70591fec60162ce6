import { type Field, showText, textField } from "../expand/field.ts";
import type { Site } from "../objections.ts";
import { refuseUnknown } from "../paths/check-path.ts";

/**
 * flag: no value. data, number, read, write: a value, attached or the next argument. message: data that may be unknown.
 * optional, optional-write: a value only when attached. denied: never.
 */
export type OptionKind =
  | "flag"
  | "data"
  | "number"
  | "read"
  | "write"
  | "message"
  | "optional"
  | "optional-write"
  | "denied";

export type OptionTable = ReadonlyMap<string, OptionKind>;

/** Every option of a command, also the denied ones: abbreviations are resolved against the whole list. */
export type OptionNames = Partial<Record<OptionKind, string>>;

/** Of an option that is named twice the last kind counts. */
export function optionTable(...lists: readonly OptionNames[]): OptionTable {
  const table = new Map<string, OptionKind>();
  for (const [kind, names] of lists.flatMap((list) => Object.entries(list)))
    for (const name of names.split(/\s+/)) if (name) table.set(name, kind as OptionKind);
  return table;
}

export type ParseStyle = {
  table: OptionTable;
  /** Options end at the first operand. */
  optionsFirst?: boolean;
  /** Long options must be spelled out. */
  exactNames?: boolean;
  /** `--name=value` is not understood. */
  separateValues?: boolean;
  /** `-20` is a number, not an option. */
  numbers?: boolean;
  /** `--no-x` undoes every allowed `--x`. */
  negations?: boolean;
};

export type Option = { name: string; kind: OptionKind; value?: Field };

export type Call = {
  options: readonly Option[];
  operands: readonly Field[];
  /** Options and operands as they came, for commands where the order matters. */
  inOrder: readonly (Option | Field)[];
  /** How many operands stand before `--`; undefined without one. */
  operandsBeforeDashes: number | undefined;
  has(...names: string[]): boolean;
};

/** Sorts arguments into options and operands; what is not in the table is refused here. */
export function parseArguments(site: Site, style: ParseStyle, args: readonly Field[]): Call {
  const inOrder: (Option | Field)[] = [];
  let operandsBeforeDashes: number | undefined;
  let operandCount = 0;
  const waiting = [...args];
  const isOption = (item: Option | Field): item is Option => "name" in item;
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const kind = operandsBeforeDashes === undefined ? kindOfField(style, field) : "operand";
    if (kind === "dashes") operandsBeforeDashes = operandCount;
    else if (kind === "operand" || (style.optionsFirst && operandCount > 0)) {
      if (field.kind === "unknown") refuseUnknown(site, field);
      operandCount++;
      inOrder.push(field);
    } else if (kind === "number") inOrder.push({ name: "-number", kind: "flag" });
    else inOrder.push(...(knownStart(field).startsWith("--") ? readLong : readShort)(site, style, field, waiting));
  }
  const options = inOrder.filter(isOption);
  const operands = inOrder.filter((item): item is Field => !isOption(item));
  const has = (...names: string[]) => options.some((option) => names.includes(option.name));
  return { options, operands, inOrder, operandsBeforeDashes, has };
}

function kindOfField(style: ParseStyle, field: Field): "dashes" | "operand" | "number" | "option" {
  const text = knownStart(field);
  if (text === "--" && field.kind === "text") return "dashes";
  if (!text.startsWith("-") || text === "-") return "operand";
  return style.numbers && /^-\d+[a-z]*$/.test(text) && field.kind === "text" ? "number" : "option";
}

function knownStart(field: Field): string {
  if (field.kind === "text") return field.text;
  return field.kind === "unknown" ? field.prefix : "";
}

function readLong(site: Site, style: ParseStyle, field: Field, waiting: Field[]): Option[] {
  const text = knownStart(field);
  const equals = text.indexOf("=");
  if (equals < 0 && field.kind === "unknown") {
    refuseUnknown(site, field);
    return [];
  }
  const typed = equals < 0 ? text : text.slice(0, equals);
  const name = resolveName(site, style, typed);
  const kind = name === undefined ? undefined : kindOf(style, name);
  if (name === undefined || kind === undefined) return refuseOption(site, typed);
  if (kind === "denied") return denyOption(site, name);
  const attached = equals < 0 ? undefined : rest(field, equals + 1);
  if (attached && (kind === "flag" || style.separateValues)) return refuseOption(site, text);
  return [withValue(site, name, kind, attached, waiting)];
}

function readShort(site: Site, style: ParseStyle, field: Field, waiting: Field[]): Option[] {
  const text = knownStart(field);
  const found: Option[] = [];
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`;
    const kind = style.table.get(name);
    if (kind === undefined) return [...found, ...refuseOption(site, name)];
    if (kind === "denied") return [...found, ...denyOption(site, name)];
    const more = at + 1 < text.length || field.kind === "unknown";
    if (kind !== "flag")
      return [...found, withValue(site, name, kind, more ? rest(field, at + 1) : undefined, waiting)];
    found.push({ name, kind });
  }
  if (field.kind === "unknown") refuseUnknown(site, field);
  return found;
}

function withValue(site: Site, name: string, kind: OptionKind, attached: Field | undefined, waiting: Field[]): Option {
  const needsValue = kind !== "flag" && kind !== "optional" && kind !== "optional-write";
  const value = attached ?? (needsValue ? waiting.shift() : undefined);
  if (needsValue && !value) site.ask("option", `${site.command} ${name} lacks its value`);
  return value ? { name, kind, value } : { name, kind };
}

/** What is attached to an option, still unknown if the word was. */
function rest(field: Field, from: number): Field {
  if (field.kind === "text") return textField(field.text.slice(from));
  return field.kind === "unknown" ? { ...field, prefix: field.prefix.slice(from) } : field;
}

/** The full name that a long option, perhaps shortened, stands for. */
function resolveName({ budget }: Site, style: ParseStyle, typed: string): string | undefined {
  if (style.table.has(typed) || kindOf(style, typed)) return typed;
  if (style.exactNames) return undefined;
  budget.spend(style.table.size);
  const longer = [...style.table.keys()].filter((name) => name.startsWith(typed));
  return longer.length === 1 ? longer[0] : undefined;
}

function kindOf(style: ParseStyle, name: string): OptionKind | undefined {
  const kind = style.table.get(name);
  if (kind || !style.negations || !name.startsWith("--no-")) return kind;
  const undone = style.table.get(`--${name.slice(5)}`);
  return undone && undone !== "denied" ? "flag" : undefined;
}

function refuseOption(site: Site, name: string): Option[] {
  site.ask("option", `${site.command} has the option ${showText(name)}, which the check does not know`);
  return [];
}

function denyOption(site: Site, name: string): Option[] {
  site.deny("option", `${site.command} ${name} is never allowed`);
  return [];
}
