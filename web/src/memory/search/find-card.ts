import { css, html, nothing, type TemplateResult } from "lit";
import type { MemoryFind, MemoryPlace } from "../../../../src/contract/memory/memory-place.ts";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { count } from "../../../../src/contract/words/amounts.ts";
import { icon } from "../../style/icons.ts";
import { placePath } from "../memory-view.ts";
import { dayWords, placeWords } from "../memory-words.ts";
import { fromFirstMark } from "./excerpt.ts";
import { type FindLine, findExcerpt } from "./find-lines.ts";
import { markWords, type Piece } from "./mark-words.ts";

export type ShownFind = MemoryPlace & {
  /** Without one: it is gone by now. */
  text?: string | undefined;
  best?: MemoryFind["best"];
  labels?: readonly string[];
};
export type FindSurroundings = { query: string; group: string | undefined; sessions: readonly Session[] };

/** One find: where it stands, what of it fits best, and why it was found. It leads there as a whole. */
export function findCard(find: ShownFind, { query, group, sessions }: FindSurroundings): TemplateResult {
  const path = placePath(find, group);
  const name = placeWords(find, sessions);
  const { text, labels = [], best } = find;
  const date = best?.date ?? find.date;
  const speaker = speakerOf(find);
  return html`<div class="find">
    <p class="where">
      ${icon(find.path === undefined ? "chat" : "file", 16)}
      ${path === undefined || text === undefined ? html`<b>${name}</b>` : html`<a class="whole" href=${path}>${name}</a>`}
      ${date === undefined ? nothing : html`<span class="muted">${dayWords(date)}</span>`}
      ${speaker === undefined ? nothing : html`<span class="muted">said by ${speaker}</span>`}
      ${scoreBar(find.score)}
    </p>
    ${text === undefined ? html`<p class="gone">This is gone by now.</p>` : excerpt(text, best, query)}
    <p class="reasons">
      ${labels.map((label) => html`<span class="chip warning">${icon("warning", 13)} from ${label}</span>`)}
      <span>${find.why.join(" · ")}</span>
    </p>
  </div>`;
}

/** A message without a name is the owner's own; a line of a file without one is nobody's. */
function speakerOf({ best, path }: ShownFind): string | undefined {
  if (!best) return undefined;
  return best.speaker ?? (path === undefined ? "you" : undefined);
}

function excerpt(text: string, best: MemoryFind["best"], query: string): TemplateResult {
  const shown = findExcerpt(text, best);
  const line = ({ text: words, isHeading, isBest }: FindLine) =>
    html`<p class=${isHeading ? "heading" : isBest ? "best" : "around"}>${markWords(words, query).map(piece)}</p>`;
  return html`<div class="short">
      ${shown.before.map(line)}
      <p class="text best">${fromFirstMark(markWords(shown.best, query)).map(piece)}</p>
      ${shown.after.map(line)}
    </div>
    ${
      shown.whole === undefined
        ? nothing
        : html`<details>
            <summary>
              ${icon("chevron", 14)} <span class="more">Show all ${count(shown.whole.length, "line")}</span>
              <span class="less">Show less</span>
            </summary>
            ${shown.whole.map(line)}
          </details>`
    }`;
}

function piece({ text, isMarked }: Piece): TemplateResult | string {
  return isMarked ? html`<mark>${text}</mark>` : text;
}

const barWidth = 48;

function scoreBar(score: number): TemplateResult {
  const share = Math.max(0, Math.min(1, score));
  const words = `${Math.round(share * 100)} of 100`;
  return html`<svg class="score" role="img" aria-label=${words} width=${barWidth} height="6" viewBox="0 0 ${barWidth} 6">
    <title>${words}</title>
    <rect class="all" width=${barWidth} height="6" rx="3" />
    <rect class="share" width=${Math.max(3, share * barWidth)} height="6" rx="3" />
  </svg>`;
}

export const findStyles = css`
  .find { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-1); padding: var(--space-3) var(--space-4); }
  .where { padding-inline-end: 60px; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); font-size: var(--text-s); }
  .where > svg:first-child { color: var(--accent); }
  .score { position: absolute; top: 20px; inset-inline-end: var(--space-4); }
  .score .all { fill: var(--line); }
  .score .share { fill: var(--accent); }
  .short, details { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; overflow-wrap: anywhere; }
  /* between them stand lines of the template */
  :is(.short, details) > p { white-space: pre-line; }
  .short:has(+ details[open]) { display: none; }
  .text { display: -webkit-box; overflow: hidden; -webkit-line-clamp: 8; -webkit-box-orient: vertical; }
  .short .best { font-size: 16px; }
  .around { font-size: var(--text-s); color: var(--ink-soft); }
  .short > .around { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .heading { font-size: var(--text-xs); font-weight: 550; color: var(--ink-faint); }
  /* above the link that covers the find */
  summary { position: relative; z-index: 1; justify-self: start; display: inline-flex; align-items: center; gap: var(--space-1); min-height: 28px; font-size: var(--text-s); color: var(--ink-soft); list-style: none; cursor: pointer; }
  summary::-webkit-details-marker { display: none; }
  details[open] summary svg { transform: rotate(90deg); }
  details:not([open]) .less, details[open] .more { display: none; }
  .gone { color: var(--ink-faint); font-style: italic; }
  .reasons { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); font-size: var(--text-s); color: var(--ink-faint); }
  .reasons .chip { white-space: normal; overflow-wrap: anywhere; }
  @media (pointer: coarse) { summary { min-height: 44px; } }
`;
