// A question to the owner in words: what of it is for people, and whose words may be behind it.

/** `web:example.org` → `a page of example.org` */
export function sourceWords(label: string): string {
  const [kind = "", ...rest] = label.split(":");
  const detail = rest.join(":").trim();
  switch (kind) {
    case "web":
      return detail === "" ? "a web page" : `a page of ${detail}`;
    case "person":
      return detail === "" ? "someone else" : detail;
    case "file":
      return detail === "" ? "a file" : `the file ${detail}`;
    case "mail":
      return detail === "" ? "an e-mail" : `an e-mail from ${detail}`;
    default:
      return label.replaceAll(/[:_]+/g, " ").trim();
  }
}

/** Undefined when everything the conversation holds was said by the owner or by Steward. */
export function sourcesSentence(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(labels.map(sourceWords)));
  return `This conversation has read text from ${names}, which may be what asks for this.`;
}

/** What the program compares later, when the answer has come, is not for people. */
export function withoutCheck({ tool, display }: { tool: string; display: string }): string {
  return tool === "forget" ? display.replace(/\n\nChecked by [0-9a-f-]+\s*$/, "") : display;
}
