import { css, html, type TemplateResult } from "lit";
import { diffLines } from "../../../../src/contract/diff/line-diff.ts";
import { shownLine } from "./change-line.ts";

/** What goes and what comes between two texts, line by line. */
export function changeWell(label: string, before: string, after: string): TemplateResult {
  const { removed, added, text } = diffLines(before, after);
  if (removed + added === 0) return html`<p class="muted small">Nothing changes.</p>`;
  return html`<p class="tally">${tallyWords(removed, added)}</p>
    <div class="well change" role="group" aria-label=${label} tabindex="0">
      ${text.split("\n").map((line) => html`<div class=${kindOf(line)}>${shownLine(line)}</div>`)}
    </div>`;
}

function tallyWords(removed: number, added: number): string {
  return [...(removed > 0 ? [`${removed} removed`] : []), ...(added > 0 ? [`${added} added`] : [])].join(", ");
}

function kindOf(line: string): string {
  return { "-": "goes", "+": "comes" }[line[0] ?? ""] ?? "stays";
}

export const changeStyles = css`
  .tally { font-size: var(--text-s); color: var(--ink-soft); }
  .change { padding-inline: 0; white-space: normal; }
  .change > div { white-space: pre-wrap; min-height: 1.5em; padding: 0 var(--space-3) 0 calc(var(--space-3) + 2ch); text-indent: -2ch; }
  .change .goes { color: var(--danger); background: var(--danger-soft); }
  .change .comes { color: var(--good); background: var(--good-soft); }
`;
