import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ToolPolicy, ToolSummary } from "../../../src/contract/wire/methods/tools.ts";
import type { App } from "../app/app.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { effectWords, policyMeanings, policyNames, repeatWords, takes } from "./tool-facts.ts";
import "./tool-trial.ts";

const policies = Object.keys(policyNames) as readonly ToolPolicy[];

/** One tool: what it does, how dangerous that is, when it asks; opened, everything about it and a way to try it. */
export class StewardToolEntry extends LitElement {
  static override properties = {
    app: { attribute: false },
    tool: { attribute: false },
    policy: {},
    commands: {},
    isOpen: { type: Boolean, attribute: "open" },
    isSaving: { type: Boolean, attribute: "saving" },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .head { display: grid; grid-template-columns: minmax(0, 1fr) 190px; gap: var(--space-2) var(--space-4); align-items: start; padding: var(--space-4); }
      h2 { font-size: var(--text-m); }
      h2 a { display: inline-flex; align-items: center; gap: var(--space-2); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
      h2 a:hover { color: var(--accent); }
      h2 svg { color: var(--ink-faint); transition: rotate var(--quick); }
      :host([open]) h2 svg { rotate: 90deg; }
      .description { margin: 2px 0 var(--space-2) 26px; font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
      .chips { display: flex; flex-wrap: wrap; gap: var(--space-1); margin-left: 26px; }
      .policy { display: grid; gap: 2px; }
      .more { display: grid; gap: var(--space-4); padding: 0 var(--space-4) var(--space-5) 42px; }
      dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: var(--space-2) var(--space-4); font-size: var(--text-s); }
      dt { color: var(--ink-faint); }
      h3 { margin-bottom: var(--space-2); }
      .trial { padding-top: var(--space-4); border-top: 1px solid var(--line); }
      @media (max-width: 640px) {
        .head { grid-template-columns: minmax(0, 1fr); }
        .policy { margin-left: 26px; }
        .more { padding-left: var(--space-4); }
        dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
        dd { margin-bottom: var(--space-2); }
      }
    `,
  ];
  declare app: App;
  declare tool: ToolSummary;
  declare policy: ToolPolicy;
  declare commands: string;
  declare isOpen: boolean;
  declare isSaving: boolean;

  constructor() {
    super();
    this.commands = "";
    this.isOpen = false;
    this.isSaving = false;
  }

  override render(): TemplateResult {
    const { tool } = this;
    return html`<article aria-labelledby="name">
      <div class="head">
        <div>
          <h2 id="name">
            <a href=${this.isOpen ? "/tools" : `/tools/${encodeURIComponent(tool.name)}`} aria-expanded=${this.isOpen} role="button">
              ${icon("chevron", 18)} ${tool.name}
            </a>
          </h2>
          <p class="description">${tool.description}</p>
          <div class="chips">
            ${tool.effects.map((effect) => {
              const words = effectWords(effect, tool);
              return html`<span class="chip ${words.tone}" title=${words.means}>${words.name}</span>`;
            })}
          </div>
        </div>
        ${this.renderPolicy()}
      </div>
      ${this.isOpen ? this.renderMore() : nothing}
    </article>`;
  }

  private renderPolicy(): TemplateResult {
    return html`<div class="policy">
      <select aria-label="When ${this.tool.name} may run" aria-describedby="meaning" ?disabled=${this.isSaving} .value=${this.policy} @change=${this.choose}>
        ${policies.map((policy) => html`<option value=${policy} ?selected=${policy === this.policy}>${policyNames[policy]}</option>`)}
      </select>
      <p class="hint" id="meaning" ?hidden=${this.policy === "usual" && !this.isOpen}>${policyMeanings[this.policy]}</p>
    </div>`;
  }

  private renderMore(): TemplateResult {
    const { tool } = this;
    return html`<div class="more">
      <dl>
        <dt>What it can do</dt>
        <dd>${tool.effects.map((effect) => effectWords(effect, tool).means).join(" ")}</dd>
        ${takes(tool, "command") && this.commands ? html`<dt>Where it runs</dt><dd>${this.commands}</dd>` : nothing}
        <dt>Taking it back</dt>
        <dd>${tool.undo}</dd>
        <dt>After a crash</dt>
        <dd>${repeatWords[tool.class]}</dd>
      </dl>
      <section class="trial" aria-labelledby="try">
        <h3 id="try">Try it</h3>
        <steward-tool-trial .app=${this.app} .tool=${tool}></steward-tool-trial>
      </section>
    </div>`;
  }

  private choose(event: Event): void {
    const select = event.target as HTMLSelectElement;
    const policy = select.value as ToolPolicy;
    // shown as chosen only once it is saved
    select.value = this.policy;
    this.dispatchEvent(new CustomEvent<ToolPolicy>("policy", { detail: policy }));
  }
}

customElements.define("steward-tool-entry", StewardToolEntry);
