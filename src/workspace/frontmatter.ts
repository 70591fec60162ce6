export type Frontmatter = { fields: Readonly<Record<string, string>>; body: string };

/** The `key: value` lines between two lines of dashes at the top of a file, and what follows them. */
export function parseFrontmatter(text: string): Frontmatter | { mistake: string } {
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  if (lines[0]?.trimEnd() !== "---") return { mistake: "it does not begin with a line ---" };
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end === -1) return { mistake: "the line --- that ends its head is missing" };
  const fields = new Map<string, string>();
  for (const [index, line] of lines.slice(1, end).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, key, value = ""] = /^([A-Za-z][A-Za-z0-9_-]*):(?:\s+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key === undefined) return { mistake: `line ${index + 2} is not of the form key: value` };
    if (fields.has(key)) return { mistake: `${key} stands there twice` };
    fields.set(key, unquote(value.trim()));
  }
  const body = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  return { fields: Object.fromEntries(fields), body };
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}
