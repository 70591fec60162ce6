// Where a person writes: one card with the text, its files, the choice of the model, and send or stop.
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isBuiltIn } from "../../../../src/contract/conversation/notice-words.ts";
import type { ThinkingLevel } from "../../../../src/contract/model.ts";
import { formatBytes } from "../../../../src/contract/words/amounts.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import type { TabStorage } from "../outbox/stored-outbox.ts";
import { fitFiles, isPicture, readUpload, refusalWords, type Upload } from "../outbox/upload.ts";
import { composerStyles } from "./composer-styles.ts";
import { type ModelList, modelPicker, thinkingPicker } from "./pickers.ts";

export type ComposerActions = {
  send(text: string, uploads: readonly Upload[]): void;
  stop(): void;
  chooseModel(model: string | null): void;
  chooseThinking(thinking: ThinkingLevel | null): void;
  editLast(): void;
};

export class StewardComposer extends LitElement {
  static override properties = {
    place: { attribute: false },
    isWorking: { attribute: false },
    isWaiting: { attribute: false },
    isStopping: { attribute: false },
    models: { attribute: false },
    model: { attribute: false },
    thinking: { attribute: false },
    actions: { attribute: false },
    text: { state: true },
    uploads: { state: true },
    problem: { state: true },
  };
  static override styles = [controls, composerStyles];
  /** The conversation this is written for; what is written is kept for each apart. */
  declare place: string;
  declare isWorking: boolean;
  /** A turn waits for an answer to a question. */
  declare isWaiting: boolean;
  declare isStopping: boolean;
  declare models: ModelList | undefined;
  declare model: string | undefined;
  declare thinking: ThinkingLevel | undefined;
  declare actions: ComposerActions;
  declare text: string;
  declare uploads: readonly Upload[];
  declare problem: string | undefined;

  constructor() {
    super();
    this.text = "";
    this.uploads = [];
    this.isWorking = false;
    this.isWaiting = false;
    this.isStopping = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("place")) return;
    this.text = readDraft(sessionStorage, this.place);
    this.uploads = [];
    this.problem = undefined;
  }

  // asked for as soon as the page is there, which may be before the field is drawn
  override focus(): void {
    if (this.hasUpdated) this.field?.focus();
    else void this.updateComplete.then(() => this.field?.focus());
  }

  /** Puts words (and files) in place of what stands here. */
  write(text: string, uploads: readonly Upload[] = []): void {
    this.setText(text);
    this.uploads = uploads;
    void this.updateComplete.then(() => {
      this.focus();
      this.field?.setSelectionRange(text.length, text.length);
    });
  }

  async addFiles(files: readonly File[]): Promise<void> {
    const { taken, refused } = fitFiles(files, this.uploads);
    this.problem = refused.length === 0 ? undefined : refusalWords(refused);
    for (const file of taken) {
      try {
        const upload = await readUpload(file);
        this.uploads = [...this.uploads, upload];
      } catch {
        // a folder, or a file that went away between choosing and reading
        this.problem = `${file.name} could not be read. Folders cannot be added; pack them first.`;
      }
    }
    this.focus();
  }

  // rules do not think, so there is nothing to choose
  private get thinks(): boolean {
    const model = this.model ?? this.models?.chosen;
    return model !== undefined && !isBuiltIn(model);
  }

  private get field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector("textarea");
  }

  override render(): TemplateResult {
    const canSend = this.text.trim() !== "" || this.uploads.length > 0;
    return html`<form class="card" @submit=${this.submit}>
      ${this.uploads.length > 0 ? html`<ul class="uploads">${this.uploads.map((upload) => this.renderUpload(upload))}</ul>` : nothing}
      <textarea
        aria-label="Message"
        placeholder=${this.placeholder}
        rows="1"
        .value=${this.text}
        @input=${this.typed}
        @keydown=${this.pressed}
        @paste=${this.pasted}
      ></textarea>
      <p class="problem" role="alert" ?hidden=${!this.problem}>${this.problem}</p>
      <div class="tools">
        <input type="file" multiple hidden @change=${this.picked} />
        <button type="button" class="quiet icon" aria-label="Add files" title="Add files" @click=${this.pick}>${icon("attach")}</button>
        ${modelPicker(this.models, this.model, this.actions.chooseModel)}
        ${this.thinks ? thinkingPicker(this.thinking, this.actions.chooseThinking) : nothing}
        <span class="grow"></span>
        ${
          this.isWorking
            ? html`<button
                type="button"
                class="icon stop"
                aria-label="Stop"
                title="Stop (Esc twice)"
                ?disabled=${this.isStopping}
                @click=${() => this.actions.stop()}
              >${icon("stop")}</button>`
            : nothing
        }
        <button class="primary icon" aria-label="Send" title="Send (Enter)" ?disabled=${!canSend} ?hidden=${this.isWorking && !canSend}>${icon("send")}</button>
      </div>
    </form>`;
  }

  private get placeholder(): string {
    if (this.isWaiting) return "Answer above, or type yes or no";
    return this.isWorking ? "Add something while Steward works" : "Ask Steward anything";
  }

  private renderUpload(upload: Upload): TemplateResult {
    const { name, mediaType, base64, bytes } = upload;
    return html`<li>
      ${isPicture(mediaType) ? html`<img src=${`data:${mediaType};base64,${base64}`} alt="" />` : icon("file", 18)}
      <span class="name" title=${name}>${name}</span> <span class="muted">${formatBytes(bytes)}</span>
      <button
        type="button"
        class="quiet icon"
        aria-label=${`Remove ${name}`}
        @click=${() => {
          this.uploads = this.uploads.filter((one) => one !== upload);
        }}
      >${icon("close", 15)}</button>
    </li>`;
  }

  private setText(text: string): void {
    this.text = text;
    storeDraft(sessionStorage, this.place, text);
  }

  private typed(event: Event): void {
    this.setText((event.target as HTMLTextAreaElement).value);
  }

  private pressed(event: KeyboardEvent): void {
    // while a word is being composed, Enter ends the word
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) this.submit(event);
    else if (event.key === "ArrowUp" && this.text === "" && this.uploads.length === 0) {
      event.preventDefault();
      this.actions.editLast();
    }
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.text.trim();
    if (text === "" && this.uploads.length === 0) return;
    this.actions.send(text, this.uploads);
    this.setText("");
    this.uploads = [];
    this.problem = undefined;
  }

  private pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.addFiles(files);
  }

  private pick(): void {
    this.renderRoot.querySelector<HTMLInputElement>('input[type="file"]')?.click();
  }

  private picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    void this.addFiles([...(input.files ?? [])]);
    // so that the same file can be chosen again after it was removed
    input.value = "";
  }
}

/** What was being written, kept in this tab for each conversation. */
function readDraft(storage: TabStorage, sessionKey: string): string {
  return storage.getItem(`steward.draft.${sessionKey}`) ?? "";
}

function storeDraft(storage: TabStorage, sessionKey: string, text: string): void {
  const place = `steward.draft.${sessionKey}`;
  if (text === "") storage.removeItem(place);
  else storage.setItem(place, text);
}

customElements.define("steward-composer", StewardComposer);
