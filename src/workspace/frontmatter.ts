import { type FieldNote, type Fields, type Mistake, readYamlFields } from "./yaml-fields.ts";

export type Frontmatter = { fields: Fields; notes: readonly FieldNote[]; body: string };

/** The YAML between two lines of dashes at the top of a file, and what follows it. */
export function parseFrontmatter(text: string): Frontmatter | Mistake {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  if (lines[0]?.trimEnd() !== "---") return { mistake: "it does not begin with a line ---", line: 1 };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) return { mistake: "the line --- that ends its head is missing", line: lines.length };
  const head = readYamlFields(lines.slice(1, end), 2);
  if ("mistake" in head) return head;
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return { ...head, body };
}
