// What an empty conversation offers: sentences that work with any model, also with the built-in one.
import { css, html, type TemplateResult } from "lit";
import { type IconName, icon } from "../style/icons.ts";

export type Starter = {
  icon: IconName;
  title: string;
  text: string;
  /** Sent at once, or only written for the person to finish. */
  isWhole: boolean;
};

const starters: readonly Starter[] = [
  { icon: "setup", title: "See what is possible", text: "What can you do?", isWhole: true },
  { icon: "edit", title: "Have something remembered", text: "Remember that ", isWhole: false },
  { icon: "search", title: "Look into the memory", text: "What do you know about me?", isWhole: true },
  { icon: "file", title: "Look into the workspace", text: "List the files in the workspace", isWhole: true },
];

export function startPage(begin: (starter: Starter) => void): TemplateResult {
  return html`<div class="start">
    <h1>What can I do for you?</h1>
    <p class="muted">Ask, drop a file, or begin with one of these. What changes anything asks you first.</p>
    <ul>
      ${starters.map(
        (starter) => html`<li>
          <button @click=${() => begin(starter)}>
            ${icon(starter.icon, 18)}
            <span><strong>${starter.title}</strong><span class="muted">${starter.text.trim()}${starter.isWhole ? "" : " …"}</span></span>
          </button>
        </li>`,
      )}
    </ul>
  </div>`;
}

export const startStyles = css`
  .start { display: grid; align-content: center; gap: var(--space-2); width: 100%; max-width: 768px; margin: 0 auto; padding: var(--space-5); overflow-y: auto; }
  .start h1 { font-size: 28px; }
  .start ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: var(--space-2); margin-top: var(--space-4); padding: 0; list-style: none; }
  .start button { width: 100%; height: 100%; min-height: 64px; justify-content: flex-start; padding: var(--space-3) var(--space-4); text-align: start; white-space: normal; border-radius: var(--radius-l); gap: var(--space-3); }
  .start button svg { color: var(--accent); }
  .start button > span { display: grid; gap: 2px; }
  .start strong { font-weight: 550; }
  .start button .muted { font-weight: 400; }
`;
