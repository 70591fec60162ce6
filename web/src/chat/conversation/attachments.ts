// Files of a message or a result: pictures to look at, everything else to download.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { AttachmentRef } from "../../../../src/contract/attachment.ts";
import { formatBytes } from "../../../../src/contract/words/amounts.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { attachmentAddress, isPicture } from "../outbox/upload.ts";

export class StewardAttachments extends LitElement {
  static override properties = {
    attachments: { attribute: false },
    enlarged: { state: true },
    broken: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: flex; flex-wrap: wrap; align-items: flex-end; gap: var(--space-2); }
      .picture {
        height: 180px; min-width: 90px; max-width: 100%; padding: 0; overflow: hidden; cursor: zoom-in;
        background: var(--sunken); border-radius: var(--radius-m);
      }
      .picture img { display: block; height: 100%; max-width: 100%; object-fit: cover; object-position: top; }
      .file { max-width: 100%; min-height: 36px; font-weight: 400; }
      .file span { overflow: hidden; text-overflow: ellipsis; }
      dialog { width: auto; max-width: calc(100vw - 2 * var(--space-4)); padding: var(--space-3); }
      dialog img { display: block; max-width: 100%; max-height: calc(100dvh - 120px); margin: 0 auto; border-radius: var(--radius-s); }
      dialog footer { display: flex; align-items: center; gap: var(--space-3); padding-top: var(--space-2); }
      dialog footer span { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--ink-soft); font-size: var(--text-s); }
    `,
  ];
  declare attachments: readonly AttachmentRef[];
  declare enlarged: AttachmentRef | undefined;
  declare broken: readonly string[];

  constructor() {
    super();
    this.attachments = [];
    this.broken = [];
  }

  override render(): TemplateResult {
    return html`${this.attachments.map((attachment) => this.renderOne(attachment))} ${this.renderEnlarged()}`;
  }

  private renderOne(attachment: AttachmentRef): TemplateResult {
    const { sha256, mediaType, name, bytes } = attachment;
    if (isPicture(mediaType) && !this.broken.includes(sha256))
      return html`<button class="picture" aria-label=${`Enlarge ${name}`} @click=${() => this.enlarge(attachment)}>
        <img
          src=${attachmentAddress(sha256)}
          alt=${name}
          decoding="async"
          loading="lazy"
          @error=${() => {
            this.broken = [...this.broken, sha256];
          }}
        />
      </button>`;
    return html`<a class="button file" href=${attachmentAddress(sha256)} download=${name}>
      ${icon(isPicture(mediaType) ? "image" : "file", 16)}<span>${name}</span>
      <span class="muted">${formatBytes(bytes)}</span>
    </a>`;
  }

  private renderEnlarged(): TemplateResult | typeof nothing {
    const shown = this.enlarged;
    if (!shown) return nothing;
    const address = attachmentAddress(shown.sha256);
    return html`<dialog aria-label=${shown.name} @close=${this.shrink} @click=${this.closeOutside}>
      <img src=${address} alt=${shown.name} />
      <footer>
        <span>${shown.name} · ${formatBytes(shown.bytes)}</span>
        <a class="button" href=${address} download=${shown.name}>Download</a>
        <button @click=${this.closeDialog}>Close</button>
      </footer>
    </dialog>`;
  }

  private async enlarge(attachment: AttachmentRef): Promise<void> {
    this.enlarged = attachment;
    await this.updateComplete;
    this.renderRoot.querySelector("dialog")?.showModal();
  }

  private shrink(): void {
    this.enlarged = undefined;
  }

  private closeDialog(): void {
    this.renderRoot.querySelector("dialog")?.close();
  }

  private closeOutside(event: MouseEvent): void {
    if (event.target instanceof HTMLDialogElement) event.target.close();
  }
}

customElements.define("steward-attachments", StewardAttachments);
