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
export function optionTable(names: Partial<Record<OptionKind, string>>): OptionTable {
  const table = new Map<string, OptionKind>();
  for (const [kind, list] of Object.entries(names)) {
    for (const name of list.split(/\s+/)) if (name) table.set(name, kind as OptionKind);
  }
  return table;
}

export function mergeTables(...tables: readonly OptionTable[]): OptionTable {
  return new Map(tables.flatMap((table) => [...table]));
}
