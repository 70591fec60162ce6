import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ToolSummary } from "../../../src/contract/wire/methods/tools.ts";
import type { App } from "../app/app.ts";
import { failureWords } from "../settings/loading.ts";
import { checkFields, type FieldProblem, problemsUnder } from "../settings/schema-form/check-value.ts";
import type { FieldEdited } from "../settings/schema-form/field-edited.ts";
import { readFields } from "../settings/schema-form/field-shape.ts";
import { labelFor } from "../settings/schema-form/field-words.ts";
import { watch } from "../state/watch.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { isOver, openTrial, type Trial } from "./trial.ts";
import { renderOutcome } from "./trial-outcome.ts";
import "../inbox/approval-card.ts";
import "../settings/schema-form/schema-field.ts";

/** A form made from the tool's own arguments, and what came of it: as if the assistant had called it. */
export class StewardToolTrial extends LitElement {
  static override properties = {
    app: { attribute: false },
    tool: { attribute: false },
    given: { state: true },
    problems: { state: true },
    trial: { state: true },
    sessionKey: { state: true },
    failure: { state: true },
    isStarting: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; gap: var(--space-3); }
      form { display: grid; gap: var(--space-3); }
      .outcome { display: grid; gap: var(--space-2); }
      .outcome > p { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2); font-size: var(--text-s); }
      .well { max-height: 360px; }
    `,
  ];
  declare app: App;
  declare tool: ToolSummary;
  declare given: Readonly<Record<string, unknown>>;
  declare problems: readonly FieldProblem[];
  declare trial: Trial | undefined;
  declare sessionKey: string | undefined;
  declare failure: string | undefined;
  declare isStarting: boolean;
  private running: { close(): void } | undefined;

  constructor() {
    super();
    this.given = {};
    this.problems = [];
    this.isStarting = false;
    watch(this, () => [this.app.approvals]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.close();
  }

  override render(): TemplateResult {
    const fields = readFields(this.tool.schema);
    const isBusy = this.isStarting || (this.trial !== undefined && !isOver(this.trial));
    return html`<form @submit=${this.start} novalidate>
        ${fields.length === 0 ? html`<p class="hint">It needs to be told nothing.</p>` : nothing}
        ${fields.map(
          (field) => html`<steward-schema-field
            .field=${field}
            .name=${field.name}
            .label=${labelFor(field.name)}
            .value=${this.given[field.name]}
            .problems=${problemsUnder(this.problems, field.name)}
            ?optional=${!field.required}
            @edited=${(event: FieldEdited) => this.edit(field.name, event.value)}
          ></steward-schema-field>`,
        )}
        <div class="row">
          <button class="primary" ?disabled=${isBusy}>${icon(isBusy ? "spinner" : "tools", 16)} ${isBusy ? (this.trial?.state === "asks" ? "Waiting for you" : "Running…") : "Run it"}</button>
          <span class="hint">It really runs, under the same rules as when Steward calls it.</span>
        </div>
      </form>
      <div aria-live="polite">${this.renderResult()}</div>`;
  }

  private renderResult(): TemplateResult | typeof nothing {
    if (this.failure) return html`<p class="problem">${this.failure}</p>`;
    if (!this.trial || this.isStarting) return nothing;
    const open = this.app.approvals.value.find((one) => one.approvalId === this.trial?.question?.approvalId);
    return html`<div class="outcome">
      ${renderOutcome(this.trial, this.sessionKey)}
      ${open ? html`<steward-approval-card .app=${this.app} .approval=${open}></steward-approval-card>` : nothing}
    </div>`;
  }

  private edit(name: string, value: unknown): void {
    const { [name]: _, ...others } = this.given;
    this.given = value === undefined ? others : { ...others, [name]: value };
    this.problems = this.problems.filter((problem) => problem.path !== name && !problem.path.startsWith(`${name}.`));
  }

  private async start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.problems = checkFields(readFields(this.tool.schema), this.given);
    if (this.problems.length > 0) return;
    this.running?.close();
    this.failure = undefined;
    this.isStarting = true;
    const running = openTrial(
      (listener) => this.app.link.follow(listener),
      (trial) => {
        this.trial = trial;
      },
    );
    this.running = running;
    try {
      const { sessionKey, seq } = await this.app.link.call("tools.try", {
        tool: this.tool.name,
        arguments: { ...this.given },
        idempotencyKey: crypto.randomUUID(),
      });
      this.sessionKey = sessionKey;
      running.began({ sessionKey, seq });
    } catch (error) {
      running.close();
      this.trial = undefined;
      this.failure = failureWords(error);
    }
    this.isStarting = false;
  }
}

customElements.define("steward-tool-trial", StewardToolTrial);
