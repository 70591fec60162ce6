// One conversation in the sidebar: its state, its name, and what can be done with it.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { channelMark } from "../../style/channel-mark.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { sessionName } from "../../words.ts";
import type { App } from "../app.ts";
import { deleteSession, renameSession } from "./session-actions.ts";

const stateWords = { idle: "", working: "working", waiting: "waiting for your answer" } as const;

export class StewardSessionRow extends LitElement {
  static override properties = {
    app: { attribute: false },
    session: { attribute: false },
    isOpen: { type: Boolean },
    isUnread: { type: Boolean },
    isRenaming: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; position: relative; border-radius: var(--radius-m); }
      :host(:hover) .line, .line:focus-within, .line.open { background: color-mix(in oklab, var(--ink) 6%, transparent); }
      .line { display: flex; align-items: center; border-radius: var(--radius-m); transition: background-color var(--quick); }
      a {
        display: flex; align-items: center; gap: var(--space-2); flex: 1; min-width: 0; min-height: 34px;
        padding: var(--space-1) var(--space-1) var(--space-1) var(--space-3); font-size: var(--text-s); color: var(--ink-soft);
        text-decoration: none; border-radius: var(--radius-m);
      }
      a > .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .mark { position: relative; display: flex; flex: none; color: var(--ink-faint); }
      .open a, :host(:hover) a { color: var(--ink); }
      .open a { font-weight: 500; }
      .dot { width: 8px; height: 8px; flex: none; margin-inline: auto var(--space-2); border-radius: 50%; }
      .dot.working { background: var(--accent); animation: breathe 1.6s ease-in-out infinite alternate; }
      .dot.unread { background: var(--accent); }
      .unread > .name { font-weight: 600; color: var(--ink); }
      .dot.waiting { background: var(--warning); }
      button.more { width: 0; min-height: 30px; margin-inline-end: 2px; overflow: hidden; }
      :host(:hover) button.more, .line:focus-within button.more { width: 30px; }
      input { min-height: 34px; margin: 0; padding: var(--space-1) var(--space-2); font-size: var(--text-s); }
      [popover] {
        position: fixed; inset: auto; margin: 0; padding: var(--space-1); color: var(--ink); background: var(--surface);
        border: 1px solid var(--line); border-radius: var(--radius-m); box-shadow: var(--shadow-2);
      }
      [popover]:popover-open { display: grid; }
      [popover] button { justify-content: flex-start; width: 100%; min-width: 140px; background: none; border-color: transparent; }
      [popover] button:hover { background: color-mix(in oklab, currentColor 9%, transparent); }
      @keyframes breathe { from { opacity: 0.35; } }
      @media (prefers-reduced-motion: reduce) { .dot.working { animation: none; } }
      @media (pointer: coarse) {
        a { min-height: 44px; font-size: var(--text-m); }
        button.more { width: 44px; min-height: 44px; }
      }
    `,
  ];
  declare app: App;
  declare session: Session;
  declare isOpen: boolean;
  /** A task has said something in it that nobody has looked at. */
  declare isUnread: boolean;
  declare isRenaming: boolean;

  override render(): TemplateResult {
    return this.isRenaming ? this.renderNaming() : this.renderLine();
  }

  override focus(): void {
    this.renderRoot.querySelector("a")?.focus();
  }

  private renderLine(): TemplateResult {
    const { session } = this;
    const name = sessionName(session);
    const state = stateWords[session.state] || (this.isUnread ? "unread" : "");
    const sign = session.state === "idle" ? "unread" : session.state;
    return html`<div class="line ${this.isOpen ? "open" : ""}" @keydown=${this.pressed}>
        <a class=${this.isUnread ? "unread" : ""} href="/chat/${session.sessionKey}" title=${name} aria-current=${this.isOpen ? "page" : nothing}>
          ${channelMark(session.sessionKey)}<span class="name">${name}</span>
          ${state ? html`<span class="dot ${sign}" title=${state}></span><span class="visually-hidden">, ${state}</span>` : nothing}
        </a>
        <button class="quiet icon more" aria-label="More for ${name}" aria-haspopup="true" @click=${this.openMenu}>
          ${icon("more", 18)}
        </button>
      </div>
      <div popover role="group" aria-label="For ${name}">
        <button @click=${this.startRenaming}>${icon("edit", 16)} Rename</button>
        <button class="danger" @click=${this.deleteAfterAsking}>${icon("trash", 16)} Delete</button>
      </div>`;
  }

  private renderNaming(): TemplateResult {
    return html`<input
      aria-label="Name of the conversation"
      maxlength="200"
      .value=${sessionName(this.session)}
      @keydown=${this.naming}
      @blur=${this.named}
    />`;
  }

  private openMenu(event: MouseEvent): void {
    const menu = this.menu;
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    if (!menu) return;
    menu.showPopover();
    const isLow = box.bottom + menu.offsetHeight > innerHeight;
    menu.style.top = `${isLow ? box.top - menu.offsetHeight : box.bottom}px`;
    menu.style.left = `${Math.min(box.left, innerWidth - menu.offsetWidth - 8)}px`;
    menu.querySelector("button")?.focus();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.key === "F2") void this.startRenaming();
    else if (event.key === "Delete") void this.deleteAfterAsking();
    else return;
    event.preventDefault();
  }

  private async startRenaming(): Promise<void> {
    this.menu?.hidePopover();
    this.isRenaming = true;
    await this.updateComplete;
    this.renderRoot.querySelector("input")?.select();
  }

  private naming(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // a dialog around the list must not take this Escape for its own
    event.stopPropagation();
    event.preventDefault();
    void this.finishNaming(event.key === "Enter").then(() => this.focus());
  }

  private named(): void {
    void this.finishNaming(true);
  }

  private async finishNaming(isKept: boolean): Promise<void> {
    if (!this.isRenaming) return;
    const name = this.renderRoot.querySelector("input")?.value ?? "";
    this.isRenaming = false;
    if (isKept && name.trim() !== sessionName(this.session)) await renameSession(this.app, this.session, name);
    await this.updateComplete;
  }

  private async deleteAfterAsking(): Promise<void> {
    this.menu?.hidePopover();
    const isGone = await deleteSession(this.app, this.session);
    if (isGone && this.isOpen) this.app.go("/");
  }

  private get menu(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>("[popover]");
  }
}

customElements.define("steward-session-row", StewardSessionRow);

declare global {
  interface HTMLElementTagNameMap {
    "steward-session-row": StewardSessionRow;
  }
}
