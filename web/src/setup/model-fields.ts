import { html, nothing, type TemplateResult } from "lit";
import { type ModelPlace, type SetupForm, suggestedModels } from "./model-places.ts";

type FieldsState = {
  form: SetupForm;
  /** Undefined: a server that is not listed. */
  place: ModelPlace | undefined;
  problems: Partial<Record<keyof SetupForm, string>>;
  edit(change: Partial<SetupForm>): void;
};

export function renderModelFields(state: FieldsState): TemplateResult {
  const { place } = state;
  if (!place)
    return html`${renderText(state, "provider", "Name", "What you want to call it, in small letters.")}
    ${renderText(state, "baseUrl", "Address", "Such as http://192.168.1.20:8080/v1")} ${renderKey(state, "Key, if it wants one")}
    ${renderModel(state)}`;
  return html`
    ${place.running ? nothing : renderKey(state, place.keyFrom ? "Another key" : `Key of ${place.name}`)} ${renderModel(state)}
    <details>
      <summary class="hint">It is at another address</summary>
      ${renderText(state, "baseUrl", "Address", "Left empty, the usual one is used.")}
    </details>
  `;
}

function renderKey(state: FieldsState, label: string): TemplateResult {
  const hint = state.place?.keyFrom
    ? `Left empty, the key in ${state.place.keyFrom} is used.`
    : "It is kept on this machine in a file that only you can read, and never shown again.";
  return html`<div class="field">
    <label for="apiKey">${label}</label>
    <input
      id="apiKey"
      type="password"
      autocomplete="off"
      spellcheck="false"
      .value=${state.form.apiKey}
      aria-invalid=${state.problems.apiKey !== undefined}
      aria-describedby="apiKey-hint apiKey-problem"
      @input=${(event: InputEvent) => state.edit({ apiKey: (event.target as HTMLInputElement).value })}
    />
    <p class="hint" id="apiKey-hint">${hint}</p>
    ${renderProblem(state, "apiKey")}
  </div>`;
}

function renderModel(state: FieldsState): TemplateResult {
  const models = state.place ? suggestedModels(state.place) : [];
  const hint =
    models.length > 0 ? "Choose one of the list or type another." : "The name under which the server knows it.";
  return html`<div class="field">
    <label for="model">Model</label>
    <input
      id="model"
      list="models"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${state.form.model}
      aria-invalid=${state.problems.model !== undefined}
      aria-describedby="model-hint model-problem"
      @input=${(event: InputEvent) => state.edit({ model: (event.target as HTMLInputElement).value })}
    />
    <datalist id="models">${models.map((model) => html`<option value=${model}></option>`)}</datalist>
    ${models.length > 0 ? renderSuggestions(state, models) : nothing}
    <p class="hint" id="model-hint">${hint}</p>
    ${renderProblem(state, "model")}
  </div>`;
}

// a list behind an input is not seen until something is typed, so the first few are buttons
function renderSuggestions(state: FieldsState, models: readonly string[]): TemplateResult {
  return html`<div class="row found" role="group" aria-label="Models found">
    ${models
      .slice(0, 6)
      .map(
        (model) =>
          html`<button type="button" aria-pressed=${state.form.model === model} @click=${() => state.edit({ model })}>${model}</button>`,
      )}
  </div>`;
}

function renderText(state: FieldsState, name: "provider" | "baseUrl", label: string, hint: string): TemplateResult {
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      inputmode=${name === "baseUrl" ? "url" : "text"}
      .value=${state.form[name]}
      aria-invalid=${state.problems[name] !== undefined}
      aria-describedby="${name}-hint ${name}-problem"
      @input=${(event: InputEvent) => state.edit({ [name]: (event.target as HTMLInputElement).value })}
    />
    <p class="hint" id="${name}-hint">${hint}</p>
    ${renderProblem(state, name)}
  </div>`;
}

function renderProblem(state: FieldsState, name: keyof SetupForm): TemplateResult | typeof nothing {
  const problem = state.problems[name];
  return problem === undefined ? nothing : html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>`;
}
