// The groups in which Steward answers, and the chats in which it sits and says nothing.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodResult } from "../../../../src/contract/wire/method.ts";
import { formatAgo } from "../../../../src/contract/words/amounts.ts";
import { visibleLine } from "../../../../src/contract/words/visible-line.ts";
import type { App } from "../../app/app.ts";
import { failureWords } from "../../settings/loading.ts";
import { channelMark } from "../../style/channel-mark.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { newGroupPath } from "../channels-place.ts";
import { isolationWords, modeNames, type ShownGroup, sandboxLines, triggerWords } from "./group-words.ts";

type Groups = MethodResult<"groups.list">;

/** Tells `changed` when one was removed. */
export class StewardGroupList extends LitElement {
  static override properties = { app: { attribute: false }, answer: { attribute: false } };
  static override styles = [
    controls,
    css`
      :host { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
      .about { margin-top: calc(-1 * var(--space-2)); font-size: var(--text-s); color: var(--ink-soft); text-wrap: pretty; }
      ul { padding: 0; list-style: none; }
      .groups { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
      .group { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--space-2); }
      .group:has(h3:focus) { border-color: var(--accent); }
      h3 { display: flex; align-items: center; gap: var(--space-2); overflow-wrap: anywhere; }
      .mark { position: relative; display: flex; color: var(--ink-faint); }
      .facts { display: grid; gap: 2px; padding-inline-start: 18px; list-style: disc; font-size: var(--text-s); color: var(--ink-soft); overflow-wrap: anywhere; }
      .facts li::marker { color: var(--ink-faint); }
      code { overflow-wrap: anywhere; }
      .apart { margin-top: var(--space-2); }
      .seen { padding: 0; }
      .seen li { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-2) var(--space-3); padding: var(--space-3) var(--space-4); }
      .seen li + li { border-top: 1px solid var(--line); }
      .seen div { flex: 1 1 200px; min-width: 0; overflow-wrap: anywhere; }
      .seen b { font-weight: 550; }
      .empty { max-width: none; margin: 0; padding: var(--space-5) var(--space-4); }
      .empty p { max-width: 60ch; }
    `,
  ];
  declare app: App;
  declare answer: Groups;

  override render(): TemplateResult {
    const { groups, seen } = this.answer;
    return html`<h2>Groups</h2>
      <p class="about">Chats with several people in which Steward answers. Each has ${isolationWords.charAt(0).toLowerCase()}${isolationWords.slice(1)}</p>
      ${groups.length + seen.length === 0 ? renderEmpty() : nothing}
      ${
        groups.length === 0
          ? nothing
          : html`<ul class="groups" aria-label="Groups">${repeat(
              groups,
              ({ name }) => name,
              (group) => html`<li class="card group" data-name=${group.name}>${this.renderGroup(group)}</li>`,
            )}</ul>`
      }
      ${seen.length === 0 ? nothing : this.renderSeen(seen)}`;
  }

  /** Brings one of them before the eyes, and the keyboard to it. */
  async showGroup(name: string): Promise<void> {
    await this.updateComplete;
    const groups = [...this.renderRoot.querySelectorAll<HTMLElement>(".group")];
    const group = groups.find((one) => one.dataset.name === name);
    group?.scrollIntoView({ block: "center" });
    group?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
  }

  /** The same for the chats that are not answered. */
  async showSeen(): Promise<void> {
    await this.updateComplete;
    const heading = this.renderRoot.querySelector<HTMLElement>(".apart");
    heading?.scrollIntoView({ block: "start" });
    heading?.focus({ preventScroll: true });
  }

  private renderGroup(group: ShownGroup): TemplateResult {
    const { name, title, options, conversation, lastAtMs, folder, problems } = group;
    const facts = [triggerWords(options), modeNames[options.mode], ...sandboxLines(options)];
    return html`<h3 tabindex="-1">${channelMark(`${group.channel}--`)}<span>${visibleLine(title, 120)}</span></h3>
      <ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
      ${problems.map((why) => html`<p class="problem">${visibleLine(why)}</p>`)}
      <p class="hint">Folder <code>${folder}</code>${lastAtMs === undefined ? nothing : html` · last spoken to ${formatAgo(lastAtMs, Date.now())}`}</p>
      <div class="row">
        <a class="button" href="/channels/group/${name}" aria-label="Edit ${title}">${icon("edit", 16)} Edit</a>
        <a class="button" href="/chat/${conversation}" aria-label="Open the conversation of ${title}">${icon("chat", 16)} Open</a>
        <span class="grow"></span>
        <button class="danger" aria-label="Remove ${title}" @click=${() => this.removeGroup(group)}>${icon("trash", 16)} Remove</button>
      </div>`;
  }

  private renderSeen(seen: Groups["seen"]): TemplateResult {
    return html`<h3 class="apart" tabindex="-1">Seen, but not answered</h3>
      <ul class="card seen" aria-label="Chats without answers">
        ${seen.map(
          ({ channel, address, title, lastSeenMs }) => html`<li>
            ${channelMark(`${channel}--`)}
            <div><b>${visibleLine(title, 120)}</b><br /><span class="hint">Last seen ${formatAgo(lastSeenMs, Date.now())}. Steward says nothing there.</span></div>
            <a class="button" href=${newGroupPath(channel, address)} aria-label="Let it answer here: ${title}">Let it answer here</a>
          </li>`,
        )}
      </ul>`;
  }

  private async removeGroup({ name, title }: ShownGroup): Promise<void> {
    const sure = await this.app.confirm({
      title: `Remove the group ${title}?`,
      text: "Steward says nothing there any more. Its folder and what was said stay.",
      yes: "Remove",
      tone: "error",
    });
    if (!sure) return;
    try {
      await this.app.link.call("groups.remove", { group: name });
      this.app.say(`Steward does not answer in ${title} any more.`, { tone: "good" });
    } catch (error) {
      this.app.say(failureWords(error), { tone: "error" });
    }
    this.dispatchEvent(new Event("changed"));
  }
}

function renderEmpty(): TemplateResult {
  return html`<div class="card empty">
    ${icon("people")}
    <h3>No groups yet</h3>
    <p>Add your bot to a chat with several people. As soon as you write there, it shows up here and you decide whether it answers.</p>
  </div>`;
}

customElements.define("steward-group-list", StewardGroupList);
