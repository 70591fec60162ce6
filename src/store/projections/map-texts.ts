type Redact = (text: string) => string;

// a longer text is no value of a name
const longestValue = 512;

/** An event's body with its texts changed. */
export function mapTexts(body: string, change: (text: string, name: string) => string): Record<string, unknown> {
  return JSON.parse(body, (name, value) => {
    // what a provider wants back is of no use to anybody else, and may hold what the model was told
    if (name === "providerState") return undefined;
    return typeof value === "string" ? change(value, name) : value;
  });
}

/** A text without its secrets, also when only its name says that it is one: `{ "password": "marmalade" }`. */
export function redactNamed(redact: Redact, text: string, name: string): string {
  const shown = redact(text);
  if (shown !== text || text === "" || text.length > longestValue) return shown;
  const [before, after] = [`{${JSON.stringify(name)}:"`, `"}`];
  const named = `${before}${JSON.stringify(text).slice(1, -1)}${after}`;
  const inContext = redact(named);
  const isMasked = inContext !== named && inContext.startsWith(before) && inContext.endsWith(after);
  return isMasked ? inContext.slice(before.length, -after.length) : shown;
}
