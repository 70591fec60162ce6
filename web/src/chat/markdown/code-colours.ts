// Colours for code, asked of a worker. Grammars are loaded here, each when its language is first met.
import type { LanguageRegistration } from "shiki/core";
import type { CodeLine, ColourAnswer, ColourRequest } from "./colour-worker.ts";
import { startColourWorker } from "./trusted-policy.ts";

type Grammar = () => Promise<{ default: LanguageRegistration[] }>;

const grammars: Readonly<Record<string, Grammar>> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  ini: () => import("shiki/langs/ini.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  lua: () => import("shiki/langs/lua.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  powershell: () => import("shiki/langs/powershell.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

export type CodeColours = {
  /** Undefined when the language is not known. */
  colour(text: string, language: string): Promise<readonly CodeLine[] | undefined>;
};

function openCodeColours(): CodeColours {
  const worker = startColourWorker();
  const waiting = new Map<number, (lines: readonly CodeLine[] | undefined) => void>();
  const given = new Set<string>();
  let count = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<ColourAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  return {
    async colour(text, language) {
      const load = grammars[language];
      if (!load) return undefined;
      const loaded = (await load()).default;
      const id = ++count;
      const request: ColourRequest = { id, text, language, grammars: given.has(language) ? undefined : loaded };
      given.add(language);
      const answer = Promise.withResolvers<readonly CodeLine[] | undefined>();
      waiting.set(id, answer.resolve);
      worker.postMessage(request);
      return answer.promise;
    },
  };
}

/** One worker for the whole page, started when the first piece of code is finished. */
export const codeColours = openCodeColours();
