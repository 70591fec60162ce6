import { css, html, LitElement, type TemplateResult } from "lit";
import { controls } from "../style/controls.ts";
import { isOffered, type ModelPlace, orderPlaces, placeWords } from "./model-places.ts";

/** A server that is not in the list; its name can be chosen freely. */
export const ownServer = { id: "", name: "my-server" } as const;

/** The places where models are served, nearest first, as one choice. Tells `chosen` with the place's id. */
export class StewardPlaceList extends LitElement {
  static override properties = { places: { attribute: false }, chosen: { attribute: false } };
  static override styles = [
    controls,
    css`
      fieldset { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: var(--space-2); margin: 0; padding: 0; border: 0; }
      label { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 var(--space-3); align-items: center; align-content: center; padding: var(--space-3) var(--space-4); cursor: pointer; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-m); }
      label:hover { border-color: var(--ink-faint); }
      label:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
      label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
      input { grid-row: span 2; }
      input:focus-visible { outline: none; }
      .name { font-weight: 550; }
      .how { grid-column: 2; font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
      .near .how { color: var(--good); }
      .off { margin-top: var(--space-3); }
    `,
  ];
  declare places: readonly ModelPlace[];
  declare chosen: string | undefined;

  override render(): TemplateResult {
    const offered = orderPlaces(this.places.filter(isOffered));
    const off = this.places.filter((place) => !isOffered(place)).map((place) => place.name);
    return html`<fieldset>
        <legend class="visually-hidden">Where the model is</legend>
        ${offered.map((place) => this.renderPlace(place.id, place.name, placeWords(place), place.running === true || place.keyFrom !== undefined))}
        ${this.renderPlace(ownServer.id, "Another server", "Anything that speaks the OpenAI protocol", false)}
      </fieldset>
      ${off.length > 0 ? html`<p class="hint off">Not running on this machine: ${off.join(", ")}. Start one and look again.</p>` : ""}`;
  }

  private renderPlace(id: string, name: string, how: string, isNear: boolean): TemplateResult {
    return html`<label class=${isNear ? "near" : ""}>
      <input type="radio" name="place" .checked=${this.chosen === id} @change=${() => this.tell(id)} />
      <span class="name">${name}</span>
      <span class="how">${how}</span>
    </label>`;
  }

  private tell(id: string): void {
    this.dispatchEvent(new CustomEvent<string>("chosen", { detail: id }));
  }
}

customElements.define("steward-place-list", StewardPlaceList);
