// Colours code away from the page: reading a grammar for the first time takes longer than a frame may.
import { createCssVariablesTheme, createHighlighterCore, type LanguageRegistration } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";

/** A piece of one line; the kind is a class name. */
export type CodePiece = { text: string; kind: string | undefined };
export type CodeLine = readonly CodePiece[];
export type ColourRequest = {
  id: number;
  text: string;
  language: string;
  /** With the first request for a language. */
  grammars: readonly LanguageRegistration[] | undefined;
};
export type ColourAnswer = { id: number; lines: readonly CodeLine[] | undefined };

const highlighter = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: "steward", variablePrefix: "--", fontStyle: false })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

addEventListener("message", (event: MessageEvent<ColourRequest>) => void answer(event.data));

async function answer({ id, text, language, grammars }: ColourRequest): Promise<void> {
  const reply: ColourAnswer = { id, lines: undefined };
  try {
    const ready = await highlighter;
    if (grammars) await ready.loadLanguage([...grammars]);
    const { tokens } = ready.codeToTokens(text, { lang: language, theme: "steward" });
    reply.lines = tokens.map((line) => line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })));
  } catch {
    // a grammar this engine cannot follow: the code stays plain, which the missing lines say
  }
  postMessage(reply);
}

// the theme's colours are names of custom properties, such as var(--token-keyword)
function kindOf(colour: string | undefined): string | undefined {
  return colour?.match(/--token-([a-z-]+)/)?.[1];
}
