import { css, html, nothing, type TemplateResult } from "lit";
import { icon } from "../../style/icons.ts";
import { formatDateTime } from "../../words.ts";
import { placePath } from "../memory-view.ts";
import { fromFirstMark } from "../search/excerpt.ts";
import { markWords } from "../search/mark-words.ts";
import type { Mention, MentionGroup } from "./group-mentions.ts";

export type MentionSurroundings = {
  group: string | undefined;
  about: string;
  nameOf(group: MentionGroup): string;
  isChosen(mention: Mention): boolean;
  choose(mentions: readonly Mention[], isChosen: boolean): void;
};

/** One file or conversation with everything in it that would go; each of it can be kept. */
export function mentionGroup(one: MentionGroup, around: MentionSurroundings): TemplateResult {
  const chosen = one.mentions.filter(around.isChosen).length;
  const all = one.mentions.length;
  return html`<fieldset class="card group">
    <legend class="visually-hidden">${around.nameOf(one)}</legend>
    <label class="name">
      <input
        type="checkbox"
        aria-label="All of ${around.nameOf(one)}"
        .checked=${chosen === all}
        .indeterminate=${chosen > 0 && chosen < all}
        @change=${(event: Event) => around.choose(one.mentions, isChecked(event))}
      />
      ${icon(one.path === undefined ? "chat" : "file", 16)} <b>${around.nameOf(one)}</b>
      <span class="muted">${chosen} of ${all}</span>
    </label>
    <ul>
      ${one.mentions.map((mention) => html`<li>${mentionRow(mention, around)}</li>`)}
    </ul>
    ${one.path === undefined ? html`<p class="hint">With an answer goes all that was done for it; a question, or something looked up, takes along only what speaks of it too.</p>` : nothing}
  </fieldset>`;
}

function mentionRow(mention: Mention, { group, about, isChosen, choose }: MentionSurroundings): TemplateResult {
  const { path, line, sessionKey, seq, text } = mention;
  const href = placePath({ path, startLine: line, sessionKey, fromSeq: seq, score: 0, why: [] }, group);
  return html`<label>
      <input type="checkbox" .checked=${isChosen(mention)} @change=${(event: Event) => choose([mention], isChecked(event))} />
      <span class="words">${fromFirstMark(markWords(text, about)).map((piece) => (piece.isMarked ? html`<mark>${piece.text}</mark>` : piece.text))}</span>
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
  .group .name { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); min-height: 28px; cursor: pointer; overflow-wrap: anywhere; }
  .group .name .muted { font-size: var(--text-s); font-variant-numeric: tabular-nums; }
  .group ul { display: grid; grid-template-columns: minmax(0, 1fr); padding: 0; list-style: none; border-top: 1px solid var(--line); }
  .group li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; gap: 0 var(--space-3); padding: var(--space-2) 0; }
  .group li + li { border-top: 1px solid var(--line); }
  .group li label { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--space-2); align-items: start; cursor: pointer; }
  .group li input { margin-top: 2px; }
  .words { display: -webkit-box; overflow: hidden; -webkit-line-clamp: 6; -webkit-box-orient: vertical; white-space: pre-line; overflow-wrap: anywhere; }
  .place { font-size: var(--text-s); }
  @media (max-width: 520px) {
    .group li { grid-template-columns: minmax(0, 1fr); }
    .place { padding-inline-start: 26px; }
  }
  @media (pointer: coarse) {
    .group .name, .group li label { min-height: 44px; align-items: center; }
    .group li { align-items: center; }
    .group li input { margin-top: 0; }
    .place { display: inline-flex; align-items: center; min-height: 32px; }
  }
`;
