// Names and descriptions of a schema, as a person reads them.

/** `timeoutSeconds` → `Timeout (seconds)`, `api_key` → `API key` */
export function labelFor(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_]+/)
    .map((word) => word.toLowerCase());
  const unit = words.length > 1 ? units[words.at(-1) ?? ""] : undefined;
  const said = (unit === undefined ? words : words.slice(0, -1)).map((word) => knownWords[word] ?? word).join(" ");
  const label = `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
  return unit === undefined ? label : `${label} (${unit})`;
}

const units: Readonly<Record<string, string>> = {
  seconds: "seconds",
  hours: "hours",
  days: "days",
  ms: "milliseconds",
  mb: "MB",
  usd: "US dollars",
};

const knownWords: Readonly<Record<string, string>> = {
  api: "API",
  url: "URL",
  dirs: "folders",
  cpus: "CPUs",
  env: "environment variable",
  id: "ID",
};

export type DescriptionWords = {
  text: string;
  /** What it means that nothing is given, after "Empty:". */
  whenEmpty?: string;
  /** What each of the options means, where the description says so. */
  options: Readonly<Record<string, string>>;
};

/** Takes "Null: …" and "option: …" out of a description, so that they can stand where they belong. */
export function readDescription(description: string, options: readonly string[] = []): DescriptionWords {
  const meanings: Record<string, string> = {};
  let whenEmpty: string | undefined;
  const rest = splitSentences(description).filter((sentence) => {
    const [, name = "", meaning = ""] = /^([\w-]+): (.+?)[.;]?$/s.exec(sentence) ?? [];
    if (name.toLowerCase() === "null") whenEmpty = meaning;
    else if (options.includes(name)) meanings[name] = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
    else return true;
    return false;
  });
  const text = rest
    .join(" ")
    .replaceAll(/\bfalse: /g, "off: ")
    .replaceAll(/\bFalse: /g, "Off: ")
    .replace(/;$/, ".");
  return { text, options: meanings, ...(whenEmpty !== undefined && { whenEmpty }) };
}

// "; null: no limit." is a sentence of its own as well
function splitSentences(description: string): string[] {
  return description
    .split(/(?<=[.;])\s+(?=[\w-]+: )|(?<=\.)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** An option as a word: `openai-compatible` → `Openai-compatible` would be no better, so only plain words are changed. */
export function optionName(option: string): string {
  return /^[a-z]+$/.test(option) ? `${option.charAt(0).toUpperCase()}${option.slice(1)}` : option;
}

export function isSecretName(name: string): boolean {
  return /(?:token|secret|password|apikey|api_key)$/i.test(name);
}

/** A value in a few words, for "before → after". */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : shorten(value.map(formatValue).join(", "));
  if (typeof value !== "object") return shorten(String(value));
  const names = Object.keys(value);
  return names.length === 0
    ? "nothing"
    : shorten(names.map((name) => `${name}: ${formatValue(Reflect.get(value, name))}`).join(", "));
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** Text that may well run over several lines. */
export function isLongName(name: string): boolean {
  return /^(?:content|text|command|oldText|newText|message|prompt|body|code|input|description)$/.test(name);
}
