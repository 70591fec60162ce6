import { html, type TemplateResult } from "lit";

/** A desk bell: one ring, and somebody sees to it. */
export const mark: TemplateResult = html`<svg viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4 18h16M5.5 15a6.5 6.5 0 0 1 13 0ZM12 8.5V6M10 6h4" /></svg>`;
