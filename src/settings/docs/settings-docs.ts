import { listSettingKeys, type SettingKey, settingsSchema } from "../setting-keys.ts";
import { describeAllowed } from "../setting-problems.ts";
import { sourceKeysSection } from "./source-keys.ts";

/** docs/settings.md, made from the schema so that it cannot be out of date. */
export function settingsDocs(): string {
  const schema = settingsSchema();
  const sections = Object.entries(schema.properties ?? {}).flatMap(([name, section]) =>
    typeof section === "object"
      ? [formatSection(name, section.description ?? "", listSettingKeys(section, [name]))]
      : [],
  );
  return `${[introduction, ...sections, sourceKeysSection()].join("\n\n")}\n`;
}

const introduction = `# Settings

<!-- Made from src/contract/settings.ts by \`npm run docs:settings\`; change the schema, not this file. -->

Settings lie in \`config.json\` in the Steward folder (\`~/.steward\`, or where \`STEWARD_HOME\` points). The file is made
with all defaults on the first run; after that only you change it, with an editor, on the web page, or with
\`steward config set\`. A key that is left out has its default, and a key that is not listed here is an error. Every setting can be overridden by its environment variable:
text as it is, numbers, \`true\` and \`false\` as they are, lists and objects as JSON, \`null\` where null is allowed. An empty
variable counts as not set. Settings are read at the start, and anew when changes are applied on the page.`;

function formatSection(name: string, description: string, keys: readonly SettingKey[]): string {
  const rows = keys.flatMap((key) => [formatRow(key), ...formatInnerRows(key)]);
  return [
    `## ${name}`,
    "",
    description,
    "",
    "| key | allowed | default | environment variable | meaning |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function formatRow(key: SettingKey): string {
  const byDefault = key.schema.default === undefined ? "" : code(JSON.stringify(key.schema.default));
  return formatCells(key, byDefault, code(key.environmentName));
}

// a record's entries have keys of their own, which no variable can set one by one
function formatInnerRows(key: SettingKey): string[] {
  const entry = key.schema.additionalProperties;
  if (typeof entry !== "object" || !entry.properties) return [];
  return listSettingKeys(entry, [...key.path, "<name>"]).map((inner) => {
    const required = entry.required?.includes(inner.path.at(-1) ?? "") ? "required" : "";
    return formatCells(inner, required, "");
  });
}

function formatCells({ path, schema }: SettingKey, byDefault: string, variable: string): string {
  const cells = [code(path.join(".")), describeAllowed(schema), byDefault, variable, schema.description ?? ""];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
