// In: what a language model writes. Out: the blocks of it. Nothing is obeyed and nothing is swallowed: HTML and addresses given
// apart from their links stay as they were written.
import { Lexer, type MarkedOptions, Tokenizer, type Tokens } from "marked";
import { cutSource, languageOf, type Section } from "./cut-source.ts";
import { type Block, type Gap, type ListItem, plainSpan, type Span } from "./document.ts";
import { readInline } from "./read-inline.ts";
import { readRows } from "./table-source.ts";

const mostDepth = 12;
// what shows nothing and what a platform may refuse
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function readMarkdown(markdown: string): Block[] {
  const source = markdown
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(unseen, "");
  const options = lexerOptions();
  return joinHalves(cutSource(source).flatMap((section) => blocksOf(options, section)));
}

function lexerOptions(): MarkedOptions {
  const tokenizer = new Tokenizer();
  const nothing = () => undefined;
  Object.assign(tokenizer, { html: nothing, tag: nothing, def: nothing });
  // a line break in what a model writes is meant as one
  return { gfm: true, breaks: true, tokenizer };
}

function blocksOf(options: MarkedOptions, section: Section): Block[] {
  switch (section.kind) {
    case "code":
      return [section];
    case "table":
      return [table(options, section.text, section.gap)];
    case "markdown":
      return withGap(lexed(options, section.text), section.gap);
    default:
      return section satisfies never;
  }
}

function lexed(options: MarkedOptions, text: string): Block[] {
  const words = (): Block[] => [{ kind: "words", gap: "\n\n", level: 0, spans: [plainSpan(text.trim())] }];
  if (text.split("\n").some(isTooDeep)) return words();
  try {
    const lexer = new Lexer(options);
    return blocksFrom(options, lexer.blockTokens(text, []));
  } catch {
    // what the lexer cannot follow is shown as it was written
    return words();
  }
}

const containerMarks = /(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))[ \t]*/y;

function isTooDeep(line: string): boolean {
  containerMarks.lastIndex = line.length - line.trimStart().length;
  if (/^[\s*_-]*$/.test(line)) return false;
  let depth = 0;
  while (depth <= mostDepth && containerMarks.test(line)) depth += 1;
  return depth > mostDepth;
}

function blocksFrom(options: MarkedOptions, tokens: readonly Tokens.Generic[]): Block[] {
  const blocks: Block[] = [];
  let gap: Gap = "\n\n";
  for (const token of tokens) {
    if (token.type === "checkbox") continue;
    if (token.type === "space") gap = "\n\n";
    else {
      blocks.push(blockFrom(options, token, blocks.length === 0 ? "\n\n" : gap));
      gap = token.type === "table" ? "\n\n" : "\n";
    }
  }
  return blocks;
}

function blockFrom(options: MarkedOptions, token: Tokens.Generic, gap: Gap): Block {
  switch (token.type) {
    case "heading":
      return { kind: "words", gap: "\n\n", level: token.depth, spans: readInline(options, token.text) };
    case "code":
      return { kind: "code", gap, language: languageOf(token.lang ?? ""), text: token.text };
    case "blockquote":
      return { kind: "quote", gap, blocks: blocksFrom(options, token.tokens ?? []) };
    case "list":
      return list(options, token as Tokens.List, gap);
    case "table":
      return table(options, token.raw, gap);
    case "hr":
      return { kind: "rule", gap };
    default:
      return { kind: "words", gap, level: 0, spans: readInline(options, String(token.text ?? token.raw)) };
  }
}

function list(options: MarkedOptions, { start, loose, items }: Tokens.List, gap: Gap): Block {
  return {
    kind: "list",
    gap,
    start: start === "" ? undefined : start,
    isLoose: loose,
    items: items.map((item): ListItem => {
      const [first, ...others]: Tokens.Generic[] = item.tokens.filter(({ type }) => type !== "checkbox");
      // the lexer puts the box back in front of the words when points are set apart
      const isBoxed = item.task && loose && first !== undefined;
      const words = isBoxed ? { ...first, text: first.text.replace(/^\[[ xX]\][ \t]+/, "") } : first;
      return {
        isDone: item.task ? item.checked === true : undefined,
        blocks: blocksFrom(options, words === undefined ? [] : [words, ...others]),
      };
    }),
  };
}

function table(options: MarkedOptions, source: string, gap: Gap): Block {
  const { rows, isRight } = readRows(source);
  return { kind: "table", gap, isRight, rows: rows.map((row) => row.map((cell) => readInline(options, cell))) };
}

function withGap([first, ...others]: readonly Block[], gap: Gap): Block[] {
  return first === undefined
    ? []
    : [{ ...first, gap: first.kind === "words" && first.level > 0 ? "\n\n" : gap }, ...others];
}

// a paragraph or a quote that was cut for the lexer is one again
function joinHalves(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    const whole = last === undefined || block.gap === "\n\n" ? undefined : joined(last, block);
    if (whole === undefined) all.push(block);
    else all[all.length - 1] = whole;
  }
  return all;
}

function joined(one: Block, other: Block): Block | undefined {
  if (one.kind === "quote" && other.kind === "quote") {
    return { ...one, blocks: joinHalves([...one.blocks, ...withGap(other.blocks, other.gap)]) };
  }
  if (one.kind !== "words" || other.kind !== "words" || one.level + other.level > 0) return undefined;
  const between: Span[] = other.gap === "" ? [] : [plainSpan(other.gap)];
  return { ...one, spans: [...one.spans, ...between, ...other.spans] };
}
