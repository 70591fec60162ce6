// Markdown that is still being written, cut into blocks: all but the last one are finished and are never read again.
import { Lexer, type Links, Marked, type Token, type Tokens } from "marked";
import { markupRules } from "./markup-rules.ts";

/** A piece of code keeps its plain text, so that writing on needs no reading of HTML. */
export type Block =
  | { kind: "markup"; raw: string; html: string }
  | { kind: "code"; raw: string; language: string; text: string };

export type BlockReader = {
  /** Gives the text as it is now. `kept` blocks of the last time stay as they are, `fresh` ones come after them. */
  read(text: string, isFinished: boolean): { kept: number; fresh: readonly Block[] };
};

// a line break in what a model writes is meant as one
const marked = new Marked({ gfm: true, breaks: true, renderer: markupRules });

export function openBlockReader(): BlockReader {
  let known = "";
  let blocks: readonly Block[] = [];
  /** How much of the text lies in blocks that cannot change any more. */
  let settledLength = 0;
  let settledCount = 0;
  let links: Links = {};

  return {
    read(written, isFinished) {
      const text = written.replace(/\r\n?/g, "\n");
      if (!text.startsWith(known)) forget();
      known = text;
      return isFinished ? readWhole(text) : readOn(text);
    },
  };

  function readOn(text: string): { kept: number; fresh: readonly Block[] } {
    const kept = settledCount;
    const tokens = lex(text.slice(settledLength), links);
    const lastIndex = tokens.findLastIndex((token) => token.type !== "space");
    const fresh = toBlocks(tokens, tokens.links);
    const settled = tokens.slice(0, Math.max(0, lastIndex));
    settledLength += settled.reduce((length, token) => length + token.raw.length, 0);
    settledCount = kept + settled.filter(isShown).length;
    links = { ...links, ...tokens.links };
    blocks = [...blocks.slice(0, kept), ...fresh];
    return { kept, fresh };
  }

  // an address may be given at the very end for a link at the very beginning, so the whole decides
  function readWhole(text: string): { kept: number; fresh: readonly Block[] } {
    const tokens = lex(text, {});
    const whole = toBlocks(tokens, tokens.links);
    const differs = whole.findIndex((block, index) => !isSame(block, blocks[index]));
    const kept = differs < 0 ? whole.length : differs;
    blocks = whole;
    settledCount = kept;
    return { kept, fresh: whole.slice(kept) };
  }

  function forget(): void {
    blocks = [];
    settledLength = 0;
    settledCount = 0;
    links = {};
  }
}

function lex(text: string, links: Links): Token[] & { links: Links } {
  const lexer = new Lexer(marked.defaults);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

function toBlocks(tokens: readonly Token[], links: Links): Block[] {
  return tokens.filter(isShown).map((token) => toBlock(token, links));
}

function isShown({ type }: Token): boolean {
  return type !== "space" && type !== "def";
}

function toBlock(token: Token, links: Links): Block {
  if (token.type === "code") {
    const { raw, lang, text } = token as Tokens.Code;
    return { kind: "code", raw, language: lang?.match(/^\S*/)?.[0] ?? "", text };
  }
  const list = Object.assign([token], { links });
  return { kind: "markup", raw: token.raw, html: marked.parser(list) };
}

function isSame(one: Block, other: Block | undefined): boolean {
  if (one.kind === "code") return other?.kind === "code" && one.text === other.text && one.language === other.language;
  return other?.kind === "markup" && one.html === other.html;
}
