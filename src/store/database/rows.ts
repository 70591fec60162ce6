// Between rows and values: a column is named like the field, with underscores for capitals, and what is left out is NULL.
import type { z } from "zod";
import type { Queryable, Row, SqlValue } from "./database.ts";

export function rowReader<Schema extends z.ZodType>(schema: Schema): (row: Row) => z.output<Schema> {
  return (row) => schema.parse(fieldsOf(row));
}

export function fieldsOf(row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [fieldOf(name), value ?? undefined]));
}

/** `ifThere`: what follows `ON CONFLICT`. */
export async function insertRow(
  tx: Queryable,
  table: string,
  row: Readonly<Record<string, SqlValue | undefined>>,
  ifThere?: string,
): Promise<void> {
  const columns = Object.keys(row).map(columnOf);
  const values = Object.values(row).map((value) => value ?? null);
  const conflict = ifThere === undefined ? "" : ` ON CONFLICT ${ifThere}`;
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders(columns)})${conflict}`;
  await tx.query(sql, values);
}

export function placeholders(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const columnNames = new Map<string, string>();

function columnOf(field: string): string {
  const known = columnNames.get(field);
  if (known !== undefined) return known;
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  columnNames.set(field, column);
  return column;
}
