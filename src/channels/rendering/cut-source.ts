// The lexer's time grows with the square of some texts, so it never sees more than a few thousand characters at once. Code and
// tables that begin at the margin, which may be long, need no lexer at all.
import type { Gap } from "./document.ts";
import { endOfTable } from "./table-source.ts";

export type Section = {
  /** How it was set off from what stands before it. */
  gap: Gap;
} & ({ kind: "code"; language: string; text: string } | { kind: "table" | "markdown"; text: string });

const mostCharacters = 6_000;
const fenceStart = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

export function cutSource(source: string): Section[] {
  const sections: Section[] = [];
  const lines = source.split("\n");
  let wordsStart = 0;
  for (let at = 0; at < lines.length; ) {
    const found = sectionAt(lines, at);
    if (found === undefined) {
      at += 1;
      continue;
    }
    sections.push(...cutMarkdown(lines.slice(wordsStart, at), wordsStart > 0), found.section);
    at = found.end;
    wordsStart = at;
  }
  sections.push(...cutMarkdown(lines.slice(wordsStart), wordsStart > 0));
  return sections;
}

type Found = { section: Section; end: number };

function sectionAt(lines: readonly string[], at: number): Found | undefined {
  const gap = (lines[at - 1] ?? "").trim() === "" ? "\n\n" : "\n";
  const tableEnd = endOfTable(lines, at);
  if (tableEnd !== undefined) {
    return { section: { kind: "table", gap: "\n\n", text: lines.slice(at, tableEnd).join("\n") }, end: tableEnd };
  }
  const [, fence, rest = ""] = fenceStart.exec(lines[at] ?? "") ?? [];
  if (fence === undefined) return undefined;
  const end = endOfFence(lines, at + 1, fence);
  const text = lines.slice(at + 1, end).join("\n");
  return { section: { kind: "code", gap, language: languageOf(rest), text }, end: end + 1 };
}

/** Of what stands behind the fence, the word that names the language. */
export function languageOf(info: string): string {
  return /^[\w+#.-]{1,30}/.exec(info.trim())?.[0] ?? "";
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  for (let at = start; at < lines.length; at += 1) if (closing.test(lines[at] ?? "")) return at;
  return lines.length;
}

function cutMarkdown(lines: readonly string[], isContinued: boolean): Section[] {
  const text = lines.join("\n");
  const sections: Section[] = [];
  let gap: Gap = isContinued && lines[0]?.trim() !== "" ? "\n" : "\n\n";
  let start = 0;
  let quotes = "";
  while (text.length - start > mostCharacters) {
    const cut = placeToCut(text.slice(start, start + mostCharacters));
    const part = quotes + text.slice(start, start + cut.length).trimEnd();
    sections.push({ kind: "markdown", gap, text: part });
    gap = cut.gap;
    start += cut.length;
    quotes = gap === "" || gap === " " ? quotesOf(part) : "";
  }
  sections.push({ kind: "markdown", gap, text: quotes + text.slice(start) });
  return sections.filter((section) => section.text.trim() !== "");
}

/** The marks of a quote at the beginning of the last line, which its other half needs as well. */
function quotesOf(text: string): string {
  return /^(?: {0,3}> ?){1,12}/.exec(text.slice(text.lastIndexOf("\n") + 1))?.[0] ?? "";
}

/** Where a blank line ends a block; else between points of a list, lines, words; else anywhere. */
function placeToCut(reach: string): { length: number; gap: Gap } {
  const block = lastEnd(reach, /\n[ \t]*\n(?=[^\s\-*+>|\d])/g);
  if (block > 0) return { length: block, gap: "\n\n" };
  const line = lastEnd(reach, /\n(?=\S)/g) || reach.lastIndexOf("\n") + 1;
  if (line > 0)
    return { length: line, gap: /\n[ \t]*\n$/.test(reach.slice(Math.max(0, line - 200), line)) ? "\n\n" : "\n" };
  const space = reach.lastIndexOf(" ") + 1;
  if (space > 0) return { length: space, gap: " " };
  const last = reach.charCodeAt(reach.length - 1);
  return { length: last >= 0xd800 && last < 0xdc00 ? reach.length - 1 : reach.length, gap: "" };
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}
