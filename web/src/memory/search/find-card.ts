import { css, html, nothing, type TemplateResult } from "lit";
import type { MemoryPlace } from "../../../../src/contract/memory/memory-place.ts";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { icon } from "../../style/icons.ts";
import { placePath } from "../memory-view.ts";
import { dayWords, placeWords } from "../memory-words.ts";
import { fromFirstMark } from "./excerpt.ts";
import { markWords, type Piece } from "./mark-words.ts";

export type ShownFind = MemoryPlace & {
  /** Without one: it is gone by now. */
  text?: string | undefined;
  speakers?: readonly string[];
  labels?: readonly string[];
};
export type FindSurroundings = { query: string; group: string | undefined; sessions: readonly Session[] };

/** One find: where it stands, what it says, and why it was found. The whole of it leads there. */
export function findCard(find: ShownFind, { query, group, sessions }: FindSurroundings): TemplateResult {
  const path = placePath(find, group);
  const name = placeWords(find, sessions);
  const { text, speakers = [], labels = [], date } = find;
  return html`<div class="find">
    <p class="where">
      ${icon(find.path === undefined ? "chat" : "file", 16)}
      ${path === undefined || text === undefined ? html`<b>${name}</b>` : html`<a class="whole" href=${path}>${name}</a>`}
      ${date === undefined ? nothing : html`<span class="muted">${dayWords(date)}</span>`}
      ${speakers.length === 0 ? nothing : html`<span class="muted">said by ${speakers.join(" and ")}</span>`}
      ${scoreBar(find.score)}
    </p>
    ${text === undefined ? html`<p class="gone">This is gone by now.</p>` : html`<p class="text">${fromFirstMark(markWords(text, query)).map(piece)}</p>`}
    <p class="reasons">
      ${labels.map((label) => html`<span class="chip warning">${icon("warning", 13)} from ${label}</span>`)}
      <span>${find.why.join(" · ")}</span>
    </p>
  </div>`;
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
  .find { position: relative; display: grid; gap: var(--space-1); padding: var(--space-3) var(--space-4); }
  .where { padding-inline-end: 60px; display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); font-size: var(--text-s); }
  .where > svg:first-child { color: var(--accent); }
  .score { position: absolute; top: 20px; inset-inline-end: var(--space-4); }
  .score .all { fill: var(--line); }
  .score .share { fill: var(--accent); }
  .text {
    display: -webkit-box; overflow: hidden; -webkit-line-clamp: 8; -webkit-box-orient: vertical;
    white-space: pre-line; overflow-wrap: anywhere;
  }
  .gone { color: var(--ink-faint); font-style: italic; }
  .reasons { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-1) var(--space-2); font-size: var(--text-s); color: var(--ink-faint); }
  .reasons .chip { white-space: normal; overflow-wrap: anywhere; }
`;
