// How a line of a note says whose words it holds, at its end: written when something is noted, and read when it is found.
import { visibleLine } from "../words/visible-line.ts";

const mostSources = 4;
const longestSource = 60;
const atEnd = /\(from ([^()\n]{1,400})\)[.,;]?[ \t]*$/gm;
// what a label may be without saying which one
const bareKinds: ReadonlySet<string> = new Set(
  "command file forwarded group hook mail mcp person process upload web".split(" "),
);
const moreSources = /^\d+ more$/;

/** `(from web:example.org, command)`; names of files may hold anything, and a reader sees where a source ends. */
export function sourceWords(labels: readonly string[]): string {
  const plain = labels.map((label) =>
    visibleLine(label.replace(/[(),]/g, " "), longestSource).replaceAll(" and ", " "),
  );
  const more = plain.length > mostSources ? [`${plain.length - mostSources} more`] : [];
  return `(from ${[...plain.slice(0, mostSources), ...more].join(", ")})`;
}

/** "(from my aunt)" is none. */
export function labelsIn(text: string): readonly string[] {
  const found = [...text.matchAll(atEnd)].map(([, sources = ""]) => sources.split(/, | and /));
  return [...new Set(found.flatMap(readSources))];
}

/** One that says which it is makes what stands beside it a source, too. */
function readSources(words: readonly string[]): readonly string[] {
  const sources = words.filter(isSource);
  return sources.length === words.length || sources.some((source) => source.includes(":")) ? sources : [];
}

function isSource(words: string): boolean {
  return bareKinds.has(words) || /^[a-z][a-z_-]*:/.test(words) || moreSources.test(words);
}
