import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import type { Frame } from "../frame.ts";
import { rankMatches, standsIn } from "./fuzzy-match.ts";
import { type Command, memoryCommand, type PaletteScene, paletteCommands, taskCommands } from "./palette-commands.ts";

const mostShown = 30;
const mostRecent = 6;
// fewer letters are nothing to search for
const leastSought = 2;

export class StewardCommandPalette extends LitElement {
  static override properties = {
    commands: { state: true },
    query: { state: true },
    chosen: { state: true },
  };
  static override styles = [
    controls,
    css`
      dialog { width: min(580px, calc(100vw - 2 * var(--space-4))); margin-top: min(14vh, 120px); padding: 0; overflow: hidden; }
      dialog[open] { display: flex; flex-direction: column; max-height: min(520px, calc(100dvh - 2 * var(--space-5))); }
      .ask { display: flex; align-items: center; gap: var(--space-2); padding: 0 var(--space-4); border-bottom: 1px solid var(--line); color: var(--ink-faint); }
      input[type="text"] { min-height: 52px; padding: 0; color: var(--ink); background: none; border: 0; font-size: 16px; }
      input[type="text"]:focus-visible { outline: none; }
      .ask:focus-within { box-shadow: inset 0 -1px 0 var(--accent); }
      ul { flex: 1; padding: var(--space-2); overflow-y: auto; list-style: none; }
      .group { padding: var(--space-2) var(--space-3) var(--space-1); font-size: var(--text-xs); font-weight: 550; color: var(--ink-faint); }
      .option { display: flex; align-items: center; gap: var(--space-3); min-height: 40px; padding: 0 var(--space-3); border-radius: var(--radius-m); cursor: pointer; }
      .option svg { color: var(--ink-faint); }
      .option .title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 0 1 auto; }
      .option .about { margin-inline-start: auto; flex: none; max-width: 55%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: var(--text-s); color: var(--ink-faint); }
      .option[aria-selected="true"] { background: var(--accent-soft); }
      .option[aria-selected="true"] svg { color: var(--accent); }
      .option[aria-selected="true"] .about { color: var(--ink-soft); }
      .none { padding: var(--space-5); text-align: center; color: var(--ink-faint); }
      @media (pointer: coarse) { .option { min-height: 48px; } }
      @media (max-width: 520px) { dialog { margin-top: var(--space-4); } .option .about { display: none; } }
    `,
  ];
  declare commands: readonly Command[];
  declare query: string;
  declare chosen: number;
  private frame: Frame | undefined;

  constructor() {
    super();
    this.commands = [];
    this.query = "";
    this.chosen = 0;
  }

  async open(scene: PaletteScene): Promise<void> {
    this.frame = scene.frame;
    this.commands = paletteCommands(scene);
    this.query = "";
    this.chosen = 0;
    await this.updateComplete;
    this.dialog?.showModal();
    this.commands = [...this.commands, ...(await taskCommands(scene.frame))];
  }

  override render(): TemplateResult {
    const shown = this.shown;
    return html`<dialog aria-label="Find or do anything" @click=${this.clickedOutside}>
      <div class="ask">
        ${icon("search")}
        <input
          type="text"
          role="combobox"
          aria-label="Find or do anything"
          aria-expanded="true"
          aria-controls="options"
          aria-autocomplete="list"
          aria-activedescendant=${shown.length > 0 ? `option-${this.chosen}` : nothing}
          placeholder="Find or do anything"
          autocomplete="off"
          spellcheck="false"
          autofocus
          .value=${this.query}
          @input=${this.typed}
          @keydown=${this.pressed}
        />
      </div>
      <ul id="options" role="listbox" aria-label="Matches">
        ${shown.map((command, place) => this.renderOption(command, place, shown[place - 1]))}
      </ul>
      ${shown.length === 0 ? html`<p class="none">Nothing is called that.</p>` : nothing}
    </dialog>`;
  }

  override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }

  private renderOption(command: Command, place: number, before: Command | undefined): TemplateResult {
    // headings only while everything is listed; among matches the order says more than the kind
    const heading = this.query === "" && before?.group !== command.group ? command.group : undefined;
    return html`${heading ? html`<li class="group" role="presentation">${heading}</li>` : nothing}
      <li
        class="option"
        id="option-${place}"
        role="option"
        aria-selected=${place === this.chosen ? "true" : "false"}
        @click=${() => this.run(command)}
        @pointermove=${() => {
          this.chosen = place;
        }}
      >
        ${icon(command.icon, 18)}<span class="title">${command.title}</span><span class="about">${command.about}</span>
      </li>`;
  }

  private get shown(): readonly Command[] {
    const query = this.query.trim();
    if (query !== "") return this.matching(query);
    const { Conversations = [], Tasks: _, ...others } = Object.groupBy(this.commands, ({ group }) => group);
    return [...Object.values(others).flat(), ...Conversations.slice(0, mostRecent)];
  }

  /** What has the words, then the memory, then what only has their letters. */
  private matching(query: string): readonly Command[] {
    const matches = rankMatches(query, this.commands, wordsOf).slice(0, mostShown);
    if (!this.frame || query.length < leastSought) return matches;
    const { sure = [], scattered = [] } = Object.groupBy(matches, (command) =>
      standsIn(query, wordsOf(command)) ? "sure" : "scattered",
    );
    return [...sure, memoryCommand(this.frame, query), ...scattered];
  }

  private typed(event: InputEvent): void {
    this.query = (event.target as HTMLInputElement).value;
    this.chosen = 0;
  }

  private pressed(event: KeyboardEvent): void {
    const count = this.shown.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const command = this.shown[this.chosen];
    if (step !== undefined && count > 0) this.chosen = (this.chosen + step + count) % count;
    else if (event.key === "Enter" && command && !event.isComposing) this.run(command);
    else return;
    event.preventDefault();
  }

  private run(command: Command): void {
    this.dialog?.close();
    void command.run();
  }

  private clickedOutside(event: MouseEvent): void {
    if (event.target === this.dialog) this.dialog?.close();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }
}

function wordsOf({ title, group, about }: Command): string {
  return group === "Conversations" || group === "Tasks" ? title : `${title} ${about}`;
}

customElements.define("steward-command-palette", StewardCommandPalette);

declare global {
  interface HTMLElementTagNameMap {
    "steward-command-palette": StewardCommandPalette;
  }
}
