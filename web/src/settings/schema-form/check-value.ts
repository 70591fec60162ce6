import type { Field, NamedField, Shape } from "./field-shape.ts";

/** `path` leads from the field to the part of its value that is wrong: `ollama.baseUrl`, `2`, or nothing. */
export type FieldProblem = { path: string; message: string };

/** What can be said at once, before the gateway has judged. */
export function checkValue(field: Field, value: unknown): FieldProblem[] {
  if (value === null && field.nullable) return [];
  return checkShape(field.shape, value);
}

export function checkFields(fields: readonly NamedField[], value: unknown): FieldProblem[] {
  const values = isRecord(value) ? value : {};
  return fields.flatMap((field) => {
    const own = values[field.name];
    if (own !== undefined) return under(field.name, checkValue(field, own));
    return field.required && field.byDefault === undefined ? [{ path: field.name, message: "This is needed." }] : [];
  });
}

function checkShape(shape: Shape, value: unknown): FieldProblem[] {
  switch (shape.kind) {
    case "switch":
      return typeof value === "boolean" ? [] : wrong("This is either on or off.");
    case "number":
      return checkNumber(shape, value);
    case "text":
      return checkText(shape, value);
    case "choice":
      return shape.options.some((option) => option === value) ? [] : wrong("Choose one of the list.");
    case "list":
      return Array.isArray(value)
        ? value.flatMap((entry, index) => under(String(index), checkValue(shape.item, entry)))
        : wrong("This must be a list.");
    case "group":
      return isRecord(value) ? checkFields(shape.fields, value) : wrong("This must be filled in.");
    case "record":
      return isRecord(value) ? checkRecord(shape, value) : wrong("This must be a list of names and values.");
    case "json":
      return value === undefined ? wrong("This is not readable as JSON.") : [];
    default:
      return shape satisfies never;
  }
}

function checkNumber(shape: Extract<Shape, { kind: "number" }>, value: unknown): FieldProblem[] {
  if (typeof value !== "number" || !Number.isFinite(value)) return wrong(`This must be a number${rangeWords(shape)}.`);
  const fits =
    (!shape.whole || Number.isInteger(value)) &&
    (shape.least === undefined || value >= shape.least) &&
    (shape.above === undefined || value > shape.above) &&
    (shape.most === undefined || value <= shape.most);
  return fits ? [] : wrong(`This must be a ${shape.whole ? "whole " : ""}number${rangeWords(shape)}.`);
}

/** " from 1 to 1000", " above 0", or nothing. */
function rangeWords(shape: Extract<Shape, { kind: "number" }>): string {
  const { least, above, most } = shape;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const lower = least !== undefined ? ` of at least ${least}` : above !== undefined ? ` above ${above}` : "";
  if (most === undefined) return lower;
  return lower === "" ? ` of at most ${most}` : `${lower} and at most ${most}`;
}

function checkText(shape: Extract<Shape, { kind: "text" }>, value: unknown): FieldProblem[] {
  if (typeof value !== "string") return wrong("This must be text.");
  if (value === "" && (shape.shortest ?? 0) > 0) return wrong("This must not be empty.");
  if (value.length < (shape.shortest ?? 0)) return wrong(`This needs at least ${shape.shortest} characters.`);
  if (shape.longest !== undefined && value.length > shape.longest)
    return wrong(`This may have at most ${shape.longest} characters.`);
  if (shape.isAddress && !URL.canParse(value)) return wrong("This must be an address such as http://127.0.0.1:8080.");
  if (shape.pattern !== undefined && !fitsPattern(shape.pattern, value)) return wrong(patternWords(shape.pattern));
  return [];
}

function checkRecord(shape: Extract<Shape, { kind: "record" }>, value: Record<string, unknown>): FieldProblem[] {
  return Object.entries(value).flatMap(([name, entry]) => {
    const badName = shape.namePattern !== undefined && !fitsPattern(shape.namePattern, name);
    return [
      ...(badName
        ? [{ path: name, message: `“${name}” cannot be a name here. ${patternWords(shape.namePattern ?? "")}` }]
        : []),
      ...under(name, checkValue(shape.entry, entry)),
    ];
  });
}

function fitsPattern(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    // a pattern that this browser cannot read is left to the gateway, which judges every value anyway
    return true;
  }
}

const knownPatterns: Readonly<Record<string, string>> = {
  "^[a-z0-9-]+\\/.+$": "A model is named provider/model, such as ollama/llama3.2.",
  "^[a-z0-9-]+$": "Small letters, figures and dashes only.",
};

function patternWords(pattern: string): string {
  return knownPatterns[pattern] ?? `This must look like ${pattern.replaceAll("\\/", "/")}.`;
}

function wrong(message: string): FieldProblem[] {
  return [{ path: "", message }];
}

/** The same problems, seen from one step further out. */
function under(name: string, problems: readonly FieldProblem[]): FieldProblem[] {
  return problems.map((problem) => ({ ...problem, path: problem.path === "" ? name : `${name}.${problem.path}` }));
}

/** The problems of one part, seen from that part. */
export function problemsUnder(problems: readonly FieldProblem[], name: string): FieldProblem[] {
  return problems.flatMap((problem) => {
    if (problem.path === name) return [{ ...problem, path: "" }];
    return problem.path.startsWith(`${name}.`) ? [{ ...problem, path: problem.path.slice(name.length + 1) }] : [];
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
