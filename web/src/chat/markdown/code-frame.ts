// A piece of code with its language and a button that copies it.
import { css, html, type TemplateResult } from "lit";
import "../conversation/copy-button.ts";
import type { CodeLine } from "./colour-worker.ts";
import { languageName } from "./language-names.ts";

export type CodeFrame = { language: string; text: string; lines: readonly CodeLine[] | undefined };

export function codeFrame(frame: CodeFrame): TemplateResult {
  const name = languageName(frame.language);
  return html`<figure class="code">
    <figcaption>
      <span>${name}</span>
      <steward-copy-button label="Copy code" .text=${() => frame.text}></steward-copy-button>
    </figcaption>
    <pre tabindex="0" role="group" aria-label=${`${name} code`}><code>${frame.lines ? coloured(frame.lines) : frame.text}</code></pre>
  </figure>`;
}

function coloured(lines: readonly CodeLine[]): TemplateResult[] {
  return lines.map(
    (line, index) =>
      html`${index > 0 ? "\n" : ""}${line.map(({ text, kind }) => (kind ? html`<span class=${kind}>${text}</span>` : text))}`,
  );
}

export const codeStyles = css`
  figure.code { margin: 0 0 var(--space-4); overflow: hidden; background: var(--sunken); border-radius: var(--radius-m); }
  figure.code figcaption {
    display: flex; align-items: center; justify-content: space-between;
    padding: var(--space-1) var(--space-1) 0 var(--space-4); font-size: var(--text-xs); color: var(--ink-faint);
  }
  figure.code pre { margin: 0; padding-top: var(--space-1); background: none; border-radius: 0; }
  figure.code pre:focus-visible { outline-offset: -2px; }
  .keyword { color: var(--accent); }
  .string, .string-expression { color: var(--good); }
  .constant { color: var(--warning); }
  .function { color: var(--ink); font-weight: 600; }
  .comment { color: var(--ink-faint); font-style: italic; }
  .punctuation { color: var(--ink-soft); }
  .link { color: var(--accent); text-decoration: underline; }
  .inserted { color: var(--good); }
  .deleted { color: var(--danger); }
  .changed { color: var(--warning); }
`;
