import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../style/icons.ts";

/** Beside the name of a file that is a group's. */
export function groupChip(group: string | undefined): TemplateResult | typeof nothing {
  return group === undefined ? nothing : html`<span class="chip">${icon("people", 13)} of the group ${group}</span>`;
}
