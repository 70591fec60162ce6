// The arguments of a tool call in a few words, on one line.
import { visibleLine } from "./visible-line.ts";

// what is looked for tells more than where, which is often the whole folder
const tellingFields =
  "command pattern query question path file url text message name title remind prompt sentence page".split(" ");

/** The field that tells most first, the others as name=value. */
export function toolSummary(given: unknown): string {
  if (given === undefined || given === null) return "";
  if (typeof given !== "object") return visibleLine(String(given), 200);
  if (Array.isArray(given)) return visibleLine(JSON.stringify(given), 200);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const telling = tellingFields.find((field) => entries.some(([name]) => name === field));
  const words = entries
    .toSorted(([one], [other]) => Number(other === telling) - Number(one === telling))
    .map(([name, value]) => (name === telling ? wordsOf(value) : `${visibleLine(name, 40)}=${wordsOf(value)}`));
  return visibleLine(words.join(" "), 200);
}

function wordsOf(value: unknown): string {
  return visibleLine(typeof value === "string" ? value : JSON.stringify(value), 160);
}

/** What it is done to: the one argument that tells most. */
export function toolSubject(given: unknown): string {
  if (typeof given === "string") return visibleLine(given, 200);
  if (typeof given !== "object" || given === null) return "";
  const texts = new Map(Object.entries(given).filter(([, value]) => typeof value === "string" && value !== ""));
  const telling = tellingFields.find((name) => texts.has(name));
  const [subject] = telling === undefined ? texts.values() : [texts.get(telling)];
  return subject === undefined ? "" : visibleLine(subject, 200);
}
