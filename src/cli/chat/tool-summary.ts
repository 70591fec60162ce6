import { visibleLine } from "../visible-text.ts";

const tellingFields = ["command", "path", "file", "url", "query", "pattern", "text", "message", "name", "title"];

/** The arguments of a call in a few words: the field that tells most first, the others as name=value. */
export function toolSummary(argumentsOfCall: unknown): string {
  if (argumentsOfCall === undefined || argumentsOfCall === null) return "";
  if (typeof argumentsOfCall !== "object") return visibleLine(String(argumentsOfCall), 200);
  if (Array.isArray(argumentsOfCall)) return visibleLine(JSON.stringify(argumentsOfCall), 200);
  const entries = Object.entries(argumentsOfCall).filter(([, value]) => value !== undefined && value !== null);
  const telling = tellingFields.find((field) => entries.some(([name]) => name === field));
  const words = entries
    .toSorted(([one], [other]) => Number(other === telling) - Number(one === telling))
    .map(([name, value]) => (name === telling ? wordsOf(value) : `${visibleLine(name, 40)}=${wordsOf(value)}`));
  return visibleLine(words.join(" "), 200);
}

function wordsOf(value: unknown): string {
  return visibleLine(typeof value === "string" ? value : JSON.stringify(value), 160);
}
