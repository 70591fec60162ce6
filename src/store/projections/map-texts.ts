type Redact = (text: string) => string;
type Change = (text: string, name: string) => string;

// a longer text is no value of a name
const longestValue = 512;

/** An event's body with its texts changed. */
export function mapTexts(body: string, change: Change): Record<string, unknown> {
  try {
    return mapped(body, change);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    // nested deeper than anybody can follow: nothing after it may wait for it
    return { unreadable: "It is nested too deep to be shown." };
  }
}

function mapped(body: string, change: Change): Record<string, unknown> {
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
