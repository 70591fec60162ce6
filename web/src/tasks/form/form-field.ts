import { html, nothing, type TemplateResult } from "lit";

export type Choice = { value: string; words: string };

type Shared = { id: string; label: string; hint?: string | undefined; problem?: string | undefined };

/** A line of text with its label, a hint, and what is wrong with it. */
export function textField(
  field: Shared & { value: string; placeholder?: string; list?: string; mode?: "decimal"; most?: number },
  typed: (value: string) => void,
): TemplateResult {
  return html`<div class="field">
    <label for=${field.id}>${field.label}</label>
    <input
      id=${field.id}
      autocomplete="off"
      maxlength=${field.most ?? 200}
      placeholder=${field.placeholder ?? nothing}
      list=${field.list ?? nothing}
      inputmode=${field.mode ?? nothing}
      aria-invalid=${field.problem === undefined ? nothing : "true"}
      aria-describedby="${field.id}-hint ${field.id}-problem"
      .value=${field.value}
      @input=${(event: Event) => typed((event.target as HTMLInputElement).value)}
    />
    ${remarks(field)}
  </div>`;
}

export function choiceField(
  field: Shared & { value: string; choices: readonly Choice[] },
  chosen: (value: string) => void,
): TemplateResult {
  return html`<div class="field">
    <label for=${field.id}>${field.label}</label>
    <select
      id=${field.id}
      aria-invalid=${field.problem === undefined ? nothing : "true"}
      aria-describedby="${field.id}-hint ${field.id}-problem"
      @change=${(event: Event) => chosen((event.target as HTMLSelectElement).value)}
    >
      ${field.choices.map(({ value, words }) => html`<option value=${value} ?selected=${value === field.value}>${words}</option>`)}
    </select>
    ${remarks(field)}
  </div>`;
}

export function switchField(field: Shared & { isOn: boolean }, turned: (isOn: boolean) => void): TemplateResult {
  return html`<div class="switch">
    <div>
      <label for=${field.id}>${field.label}</label>
      ${remarks(field)}
    </div>
    <input
      id=${field.id}
      type="checkbox"
      role="switch"
      aria-describedby="${field.id}-hint"
      .checked=${field.isOn}
      @change=${(event: Event) => turned((event.target as HTMLInputElement).checked)}
    />
  </div>`;
}

function remarks({ id, hint, problem }: Shared): TemplateResult {
  return html`<p class="hint" id="${id}-hint" ?hidden=${!hint}>${hint}</p>
    <p class="problem" id="${id}-problem" role="alert" ?hidden=${!problem}>${problem}</p>`;
}
