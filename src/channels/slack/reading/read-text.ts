import { plainName } from "../../plain-name.ts";
/** Finds out what somebody or something is called whose id stands in a text. */
export type NameOf = (kind: "person" | "channel", id: string) => Promise<string>;

const mark = /<([^<>\n]+)>/g;

/** What was written, from Slack's own marks. A mention of `us` at the start is left out, unless there is nothing else. */
export async function readText(nameOf: NameOf, raw: string, us: string): Promise<string> {
  const withoutUs = raw.replace(new RegExp(`^\\s*<@${us}(\\|[^<>]*)?>[:,]?\\s*`), "");
  const source = withoutUs.trim() === "" ? raw : withoutUs;
  let text = "";
  let end = 0;
  for (const found of source.matchAll(mark)) {
    text += unescapeText(source.slice(end, found.index)) + (await readMark(nameOf, found[1] ?? ""));
    end = found.index + found[0].length;
  }
  return text + unescapeText(source.slice(end));
}

/** The opposite: so that words are shown as they are and nobody is mentioned. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

async function readMark(nameOf: NameOf, inside: string): Promise<string> {
  const bar = inside.indexOf("|");
  const target = unescapeText(bar < 0 ? inside : inside.slice(0, bar));
  const label = bar < 0 ? "" : unescapeText(inside.slice(bar + 1));
  if (target.startsWith("@")) return `@${plainName(label || (await nameOf("person", target.slice(1))))}`;
  if (target.startsWith("#")) return `#${plainName(label || (await nameOf("channel", target.slice(1))))}`;
  if (target.startsWith("!subteam^")) return label || `@${target.slice("!subteam^".length)}`;
  if (target.startsWith("!date^")) return label || target;
  if (target.startsWith("!")) return `@${(label || target.slice(1)).replace(/^@/, "")}`;
  const address = target.replace(/^(mailto|tel):/, "");
  return !label || label === address || label === target ? address : `${label} (${address})`;
}

function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
