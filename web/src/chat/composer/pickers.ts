// Which model answers and how hard it thinks: two quiet lists in the composer.
import { html, nothing, type TemplateResult } from "lit";
import { shortModel } from "../../../../src/contract/conversation/notice-words.ts";
import type { ThinkingLevel } from "../../../../src/contract/model.ts";

export type ModelList = { names: readonly string[]; chosen: string };
export type Choice = { model: string | undefined; thinking: ThinkingLevel | undefined };

const thinkingWords: readonly (readonly [ThinkingLevel, string])[] = [
  ["off", "No thinking"],
  ["low", "Think a little"],
  ["medium", "Think"],
  ["high", "Think hard"],
  ["max", "Think hardest"],
];

export function modelPicker(
  list: ModelList | undefined,
  wish: string | undefined,
  choose: (model: string | null) => void,
): TemplateResult | typeof nothing {
  if (!list) return nothing;
  // a model that is no longer offered is still what this conversation is set to
  const names = wish === undefined || list.names.includes(wish) ? list.names : [wish, ...list.names];
  return html`<select
    aria-label="Model"
    title="Which model answers"
    @change=${(event: Event) => choose((event.target as HTMLSelectElement).value || null)}
  >
    <option value="" ?selected=${wish === undefined}>${shortModel(list.chosen)} (usual)</option>
    ${names.map((name) => html`<option value=${name} ?selected=${name === wish}>${shortModel(name)}</option>`)}
  </select>`;
}

export function thinkingPicker(
  wish: ThinkingLevel | undefined,
  choose: (thinking: ThinkingLevel | null) => void,
): TemplateResult {
  return html`<select
    aria-label="Thinking"
    title="How hard it thinks before it answers"
    @change=${(event: Event) => choose(((event.target as HTMLSelectElement).value as ThinkingLevel) || null)}
  >
    <option value="" ?selected=${wish === undefined}>Thinking</option>
    ${thinkingWords.map(([level, words]) => html`<option value=${level} ?selected=${level === wish}>${words}</option>`)}
  </select>`;
}
