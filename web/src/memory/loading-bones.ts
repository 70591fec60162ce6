import { html, type TemplateResult } from "lit";

export function bones(count: number): TemplateResult {
  return html`<div class="bones" role="status" aria-busy="true" aria-label="Loading">
    ${Array.from({ length: count }, () => html`<div class="card bone"></div>`)}
  </div>`;
}
