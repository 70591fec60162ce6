import { css, html, nothing, type TemplateResult } from "lit";
import { count } from "../../../../src/contract/words/amounts.ts";
import { icon } from "../../style/icons.ts";
import { formatDateTime } from "../../words.ts";
import { placePath } from "../memory-view.ts";
import { fromFirstMark } from "../search/excerpt.ts";
import { markWords } from "../search/mark-words.ts";
import { type Mention, type MentionGroup, mentionWords, splitWork } from "./group-mentions.ts";

export type MentionSurroundings = {
  group: string | undefined;
  about: string;
  nameOf(group: MentionGroup): string;
  isChosen(mention: Mention): boolean;
  choose(mentions: readonly Mention[], isChosen: boolean): void;
};

/** One file or conversation with everything in it that would go; each of it can be kept. */
export function mentionGroup(one: MentionGroup, around: MentionSurroundings): TemplateResult {
  const name = around.nameOf(one);
  const { said, work } = splitWork(one.mentions);
  return html`<fieldset class="card group">
    <legend class="visually-hidden">${name}</legend>
    <label class="name">
      ${allBox(one.mentions, `All of ${name}`, around)} ${icon(one.path === undefined ? "chat" : "file", 16)}
      <span><b>${name}</b> <span class="muted">${one.mentions.filter(around.isChosen).length} of ${one.mentions.length}</span></span>
    </label>
    <ul>
      ${said.map((mention) => html`<li>${mentionRow(mention, around)}</li>`)}
      ${work.length === 0 ? nothing : html`<li class="work">${workRow(work, name, around)}</li>`}
    </ul>
  </fieldset>`;
}

function allBox(
  mentions: readonly Mention[],
  label: string,
  { isChosen, choose }: MentionSurroundings,
): TemplateResult {
  const chosen = mentions.filter(isChosen).length;
  return html`<input
    type="checkbox"
    aria-label=${label}
    .checked=${chosen === mentions.length}
    .indeterminate=${chosen > 0 && chosen < mentions.length}
    @change=${(event: Event) => choose(mentions, isChecked(event))}
  />`;
}

/** There may be very many of them, and few people want to read any. */
function workRow(work: readonly Mention[], name: string, around: MentionSurroundings): TemplateResult {
  const words = `${count(work.length, "thing")} looked up or done`;
  return html`${allBox(work, `${words} in ${name}`, around)}
    <details>
      <summary>${icon("chevron", 14)} ${words}</summary>
      <ul>${work.map((mention) => html`<li>${mentionRow(mention, around)}</li>`)}</ul>
    </details>`;
}

const quietLabels = { said: undefined, work: undefined, title: "title", summary: "summary" };

function mentionRow(mention: Mention, { group, about, isChosen, choose }: MentionSurroundings): TemplateResult {
  const { path, line, sessionKey, seq } = mention;
  const { kind, text } = mentionWords(mention);
  const href = placePath({ path, startLine: line, sessionKey, fromSeq: seq, score: 0, why: [] }, group);
  const label = quietLabels[kind];
  // between the words and their element stands nothing: it would be shown
  return html`<label>
      <input type="checkbox" .checked=${isChosen(mention)} @change=${(event: Event) => choose([mention], isChecked(event))} />
      <span class="words">${label === undefined ? nothing : html`<span class="quiet">${label}</span> `}${fromFirstMark(markWords(text, about)).map((piece) => (piece.isMarked ? html`<mark>${piece.text}</mark>` : piece.text))}</span>
    </label>
    <a class="place" href=${href ?? nothing}>${placeOf(mention)}</a>`;
}

function placeOf({ line, who, atMs }: Mention): string {
  if (line !== undefined) return `line ${line}`;
  const speaker = who === "assistant" ? "Steward" : "said";
  return atMs === undefined ? speaker : `${speaker}, ${formatDateTime(atMs)}`;
}

function isChecked(event: Event): boolean {
  return (event.target as HTMLInputElement).checked;
}

export const mentionStyles = css`
  fieldset { min-width: 0; margin: 0; }
  .group { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); padding: var(--space-3) var(--space-4); }
  .group input { flex: none; }
  .group .name { display: flex; align-items: start; gap: var(--space-2); min-height: 28px; cursor: pointer; overflow-wrap: anywhere; }
  .group .name :is(input, svg) { margin-top: 3px; }
  .group .name .muted { font-size: var(--text-s); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .group ul { display: grid; grid-template-columns: minmax(0, 1fr); padding: 0; list-style: none; border-top: 1px solid var(--line); }
  .group li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; gap: 0 var(--space-3); padding: var(--space-2) 0; }
  .group li + li { border-top: 1px solid var(--line); }
  .group li label { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-2); align-items: start; cursor: pointer; }
  .group li input { margin-top: 2px; }
  .group li.work { grid-template-columns: auto minmax(0, 1fr); gap: var(--space-2); }
  .work summary { display: flex; align-items: center; gap: var(--space-1); min-height: 24px; color: var(--ink-soft); list-style: none; }
  .work summary::-webkit-details-marker { display: none; }
  .work details[open] summary svg { transform: rotate(90deg); }
  .work ul { margin-top: var(--space-2); font-size: var(--text-s); }
  .words { display: -webkit-box; overflow: hidden; -webkit-line-clamp: 6; -webkit-box-orient: vertical; white-space: pre-line; overflow-wrap: anywhere; }
  .words .quiet { font-size: var(--text-s); color: var(--ink-faint); }
  .place { font-size: var(--text-s); }
  @media (max-width: 520px) {
    .group li { grid-template-columns: minmax(0, 1fr); }
    .place { padding-inline-start: 26px; }
  }
  @media (pointer: coarse) {
    .group .name, .group li label { min-height: 44px; align-items: center; }
    .group .name :is(input, svg) { margin-top: 0; }
    .group li { align-items: center; }
    .group li input { margin-top: 0; }
    .group li.work { align-items: start; }
    .group li.work > input { margin-top: 13px; }
    .work summary { min-height: 44px; }
    .place { display: inline-flex; align-items: center; min-height: 32px; }
  }
`;
