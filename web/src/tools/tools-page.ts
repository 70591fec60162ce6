// Every tool with its effects, its rule and a way to try it; /tools/bash opens one.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { ToolPolicy, ToolSummary } from "../../../src/contract/wire/methods/tools.ts";
import type { App } from "../app/app.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { savePolicy } from "./save-policy.ts";
import { allowWarning, policyNames, searchTools } from "./tool-facts.ts";
import "../settings/apply-bar.ts";
import "./tool-entry.ts";

export class StewardToolsPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    answer: { state: true },
    query: { state: true },
    saved: { state: true },
    saving: { state: true },
    pending: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .search { position: relative; margin-bottom: var(--space-4); }
      .search svg { position: absolute; top: 50%; left: var(--space-3); translate: 0 -50%; color: var(--ink-faint); pointer-events: none; }
      .search input { padding-left: 38px !important; }
      ul.card { padding: 0; list-style: none; }
      li + li { border-top: 1px solid var(--line); }
      .commands { margin-bottom: var(--space-4); font-size: var(--text-s); color: var(--ink-soft); }
      steward-apply-bar { margin-bottom: var(--space-4); }
      .bone { height: 92px; background: var(--sunken); margin-bottom: var(--space-2); border-color: transparent; }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare answer: Loading<MethodResult<"tools.list">>;
  declare query: string;
  /** Rules saved since the list was read: the running Steward may not use them yet. */
  declare saved: Readonly<Record<string, ToolPolicy>>;
  declare saving: string | undefined;
  declare pending: readonly string[];

  constructor() {
    super();
    this.route = [];
    this.answer = loading;
    this.query = "";
    this.saved = {};
    this.pending = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.reload();
  }

  override render(): TemplateResult {
    return html`<div class="page">
      <header>
        <h1>Tools</h1>
        <p>What Steward can do, and when it asks you first.</p>
      </header>
      ${this.pending.length > 0 ? html`<steward-apply-bar .app=${this.app} .keys=${this.pending} @applied=${this.applied}></steward-apply-bar>` : nothing}
      <div class="search">
        ${icon("search", 18)}
        <input
          type="search"
          aria-label="Search tools"
          placeholder="Search tools"
          .value=${this.query}
          @input=${(event: InputEvent) => {
            this.query = (event.target as HTMLInputElement).value;
          }}
        />
      </div>
      ${this.renderTools()}
    </div>`;
  }

  private renderTools(): TemplateResult {
    const { answer } = this;
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    if (answer.state === "loading")
      return html`<div role="status" aria-busy="true" aria-label="Loading">${[1, 2, 3, 4].map(() => html`<div class="card bone"></div>`)}</div>`;
    const { tools, commands } = answer.value;
    const found = searchTools(tools, this.query);
    return html`
      ${commands ? html`<p class="commands">Commands: ${commands}</p>` : nothing}
      ${found.length === 0 ? this.renderNone(tools.length) : this.renderList(found, commands)}
    `;
  }

  private renderNone(all: number): TemplateResult {
    return all === 0
      ? html`<div class="empty">${icon("tools")}<h2>No tools</h2><p>Steward can only talk at the moment: no tool is switched on.</p></div>`
      : html`<div class="empty">${icon("search")}<h2>Nothing fits</h2><p>No tool has all of these words in its name, description or effects.</p></div>`;
  }

  private renderList(tools: readonly ToolSummary[], commands: string): TemplateResult {
    return html`<ul class="card" aria-label="Tools">
      ${repeat(
        tools,
        (tool) => tool.name,
        (tool) => html`<li>
          <steward-tool-entry
            .app=${this.app}
            .tool=${tool}
            .policy=${this.saved[tool.name] ?? tool.policy}
            .commands=${commands}
            ?open=${this.route[0] === tool.name}
            ?saving=${this.saving === tool.name}
            @policy=${(event: CustomEvent<ToolPolicy>) => this.setPolicy(tool, event.detail)}
          ></steward-tool-entry>
        </li>`,
      )}
    </ul>`;
  }

  private async setPolicy(tool: ToolSummary, policy: ToolPolicy): Promise<void> {
    if (policy === "allow" && !(await this.isSure(tool))) return;
    this.saving = tool.name;
    try {
      const result = await savePolicy(this.app.link, tool.name, policy);
      if (result.ok) {
        this.saved = { ...this.saved, [tool.name]: policy };
        this.pending = result.pending;
        this.app.say(`Saved: ${tool.name}: ${policyNames[policy].toLowerCase()}.`, { tone: "good" });
      } else this.app.say(result.message, { tone: "error" });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.saving = undefined;
  }

  private async isSure(tool: ToolSummary): Promise<boolean> {
    const warning = allowWarning(tool);
    if (warning === undefined) return true;
    return this.app.confirm({
      title: `Run ${tool.name} without asking?`,
      text: warning,
      yes: "Run without asking",
      tone: "warning",
    });
  }

  private async applied(): Promise<void> {
    this.pending = [];
    this.saved = {};
    await this.reload();
  }

  private async reload(): Promise<void> {
    const answer = await load(() => this.app.link.call("tools.list", {}));
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
  }
}

customElements.define("steward-tools-page", StewardToolsPage);
