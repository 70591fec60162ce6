/** One argument as the command would get it, as far as it is known before it runs. */
export type Field =
  /** `pattern` is the glob it came from; `braced` says that braces made several words of one. */
  | { kind: "text"; text: string; pattern?: string; braced?: boolean }
  /** Known only at run time; `many` may become any number of arguments; `prefix` is what it surely begins with. */
  | { kind: "unknown"; prefix: string; many: boolean; numeric: boolean }
  /** The readable end of a process substitution. */
  | { kind: "stream" };

export function textField(text: string): Field {
  return { kind: "text", text };
}

export function isNumeric(text: string): boolean {
  return /^[+-]?\d{1,18}$/.test(text);
}

/** What the field says for certain; undefined when only running the command would tell. */
export function certainText(field: Field | undefined): string | undefined {
  return field?.kind === "text" ? field.text : undefined;
}

/** How a field is shown to a person. */
export function showField(field: Field): string {
  if (field.kind === "text") return showText(field.text);
  return field.kind === "stream" ? "<(…)" : `${showText(field.prefix)}…`;
}

export function showText(text: string): string {
  return JSON.stringify(text);
}
