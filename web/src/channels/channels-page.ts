// Where people can write to Steward, who may, and the groups in which it answers; /channels/telegram opens one.
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { App } from "../app/app.ts";
import { browserTimers } from "../gateway/timers.ts";
import { failedNotice, failureWords, type Loading, load, loading } from "../settings/loading.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { type ChannelsPlace, readPlace } from "./channels-place.ts";
import { followChannels } from "./follow-channels.ts";
import { valuesOf } from "./save-settings.ts";
import { openCodesWords } from "./setup/pairing-words.ts";
import "./channel-card.ts";
import "./groups/group-form.ts";
import type { StewardGroupList } from "./groups/group-list.ts";
import "./groups/group-list.ts";
import "./groups/waiting-chats.ts";

type Answer = MethodResult<"channels.list"> & {
  groups: MethodResult<"groups.list">;
  settings: MethodResult<"settings.get">;
};

export class StewardChannelsPage extends LitElement {
  static override properties = {
    app: { attribute: false },
    route: { attribute: false },
    answer: { state: true },
    nowMs: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: block; }
      .all { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
      .codes { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); font-size: var(--text-s); color: var(--ink-soft); }
      steward-group-list { margin-top: var(--space-5); }
      .bone { height: 92px; background: var(--sunken); border-color: transparent; }
    `,
  ];
  declare app: App;
  declare route: readonly string[];
  declare answer: Loading<Answer>;
  declare nowMs: number;
  private unfollow: (() => void) | undefined;
  private asked = 0;
  /** The one that was just made or changed, until it is shown. */
  private toShow: string | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.route = [];
    this.answer = loading;
    this.nowMs = Date.now();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.unfollow = followChannels(this.app.link, browserTimers, () => this.lookAgain());
    this.clock = setInterval(() => {
      if (!document.hidden) this.nowMs = Date.now();
    }, 1_000);
    void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
    clearInterval(this.clock);
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("route");
    // another view of the same page: whoever had scrolled down, or reads with their ears, begins at its top
    if (before !== undefined && readPlace(before).view !== readPlace(this.route).view)
      this.dispatchEvent(new CustomEvent("page-shown", { bubbles: true, composed: true }));
    this.showChanged();
  }

  override render(): TemplateResult {
    const place = readPlace(this.route);
    const { answer } = this;
    if (place.view !== "all" && answer.state === "ready")
      return html`<div class="page">${keyed(this.route.join("/"), this.renderForm(place, answer.value.groups))}</div>`;
    return html`<div class="page">
      <header>
        <h1>Channels</h1>
        <p>Where you can write to Steward besides this page, and who else may.</p>
      </header>
      ${answer.state === "ready" ? this.renderAll(answer.value, place) : this.renderWithout(answer)}
    </div>`;
  }

  private renderWithout(answer: Exclude<Loading<Answer>, { state: "ready" }>): TemplateResult {
    if (answer.state === "failed") return failedNotice(answer.message, () => void this.reload());
    return html`<div class="all" role="status" aria-busy="true" aria-label="Loading">${[1, 2, 3, 4, 5].map(() => html`<div class="card bone"></div>`)}</div>`;
  }

  private renderAll({ channels, codes, groups, settings }: Answer, place: ChannelsPlace): TemplateResult {
    const open = place.view === "all" ? place.open : undefined;
    return html`<steward-waiting-chats .seen=${groups.seen} @look=${() => this.list?.showSeen()}></steward-waiting-chats>
      <div class="all">
        ${repeat(
          channels,
          ({ name }) => name,
          (channel) => html`<steward-channel-card
            .app=${this.app}
            .channel=${channel}
            .values=${valuesOf(settings, channel.name)}
            .codes=${codes}
            .nowMs=${this.nowMs}
            .isOpen=${channel.name === open}
            @toggled=${() => this.app.go(channel.name === open ? "/channels" : `/channels/${channel.name}`)}
            @changed=${this.reload}
          ></steward-channel-card>`,
        )}
        ${
          codes === 0
            ? nothing
            : html`<p class="codes">${icon("key", 16)} <span class="grow">${openCodesWords(codes)}</span> <button class="quiet" @click=${this.forgetCodes}>Forget ${codes === 1 ? "it" : "them"}</button></p>`
        }
      </div>
      <steward-group-list .app=${this.app} .answer=${groups} @changed=${this.reload}></steward-group-list>`;
  }

  private renderForm(place: ChannelsPlace, { groups, seen }: Answer["groups"]): TemplateResult {
    const group = place.view === "group" ? groups.find(({ name }) => name === place.name) : undefined;
    const isIt = ({ channel, address }: (typeof seen)[number]) =>
      place.view === "new group" &&
      channel === place.channel &&
      address.chat === place.chat &&
      address.thread === place.thread;
    const chat = seen.find(isIt);
    if (!group && !chat) return renderGone();
    return html`<steward-group-form .app=${this.app} .group=${group} .chat=${chat} @changed=${this.groupChanged}></steward-group-form>`;
  }

  /** Whoever has made or changed a group goes on there, and not at the top of a long page. */
  private showChanged(): void {
    const { answer, list } = this;
    if (this.toShow === undefined || answer.state !== "ready" || !list) return;
    if (!answer.value.groups.groups.some(({ name }) => name === this.toShow)) return;
    void list.showGroup(this.toShow);
    this.toShow = undefined;
  }

  private get list(): StewardGroupList | null {
    return this.renderRoot.querySelector("steward-group-list");
  }

  private groupChanged({ detail }: CustomEvent<string>): void {
    this.toShow = detail;
    void this.reload();
  }

  private async forgetCodes(): Promise<void> {
    try {
      await this.app.link.call("channels.unpair_codes", {});
      this.app.say("No code lets anybody in any more.", { tone: "good" });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    await this.reload();
  }

  private async lookAgain(): Promise<void> {
    if (!document.hidden) await this.reload();
  }

  private async reload(): Promise<void> {
    this.asked += 1;
    const mine = this.asked;
    const answer = await load(async () => {
      const { link } = this.app;
      const [shown, groups, settings] = await Promise.all([
        link.call("channels.list", {}),
        link.call("groups.list", {}),
        link.call("settings.get", {}),
      ]);
      return { ...shown, groups, settings };
    });
    // one that was asked before something was changed here knows nothing of it
    if (mine !== this.asked) return;
    // what is shown stays while Steward restarts
    if (answer.state === "ready" || this.answer.state !== "ready") this.answer = answer;
    this.nowMs = Date.now();
  }
}

function renderGone(): TemplateResult {
  return html`<div class="empty" role="alert">
    ${icon("search")}
    <h1>This group is not there any more.</h1>
    <p>It may have been removed, or the address is mistyped.</p>
    <a class="button" href="/channels">All channels</a>
  </div>`;
}

customElements.define("steward-channels-page", StewardChannelsPage);
