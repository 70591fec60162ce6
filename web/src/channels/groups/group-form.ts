// Makes a group of a chat, or changes one. What was typed stays until the gateway has taken it.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { load } from "../../settings/loading.ts";
import { controls } from "../../style/controls.ts";
import { icon } from "../../style/icons.ts";
import { choiceField, switchField, textField } from "../../tasks/form/form-field.ts";
import { formStyles } from "../../tasks/form/form-styles.ts";
import { openSaving, savingRow } from "../setup/saving.ts";
import { checkDraft, type DraftProblems, draftOf, type GroupDraft, optionsOf, usualOptions } from "./group-draft.ts";
import { isolationWords, modeMeanings, modeNames, type ShownGroup, sandboxNames } from "./group-words.ts";
import { mountFields, mountStyles } from "./mount-fields.ts";

type NewChat = {
  channel: "telegram" | "slack" | "discord" | "email" | "ntfy";
  address: ShownGroup["address"];
  title: string;
};
const modes = ["ask", "auto", "deny"] as const;

/** Tells `changed` with the group's name when the gateway has taken it. */
export class StewardGroupForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    group: { attribute: false },
    chat: { attribute: false },
    draft: { state: true },
    problems: { state: true },
    assistantName: { state: true },
  };
  static override styles = [
    controls,
    formStyles,
    mountStyles,
    css`
      :host { display: block; }
      h1 { overflow-wrap: anywhere; }
      .kinds { grid-template-columns: repeat(auto-fit, minmax(min(220px, 100%), 1fr)); }
    `,
  ];
  declare app: App;
  /** The one that is changed; undefined: one is made of `chat`. */
  declare group: ShownGroup | undefined;
  declare chat: NewChat | undefined;
  declare draft: GroupDraft;
  declare problems: DraftProblems;
  /** By which it is called where no other word was chosen. */
  declare assistantName: string | undefined;
  private readonly saving = openSaving(this);

  constructor() {
    super();
    this.draft = draftOf("", usualOptions);
    this.problems = {};
  }

  // what is told meanwhile of the same group must not take away what is being typed
  override connectedCallback(): void {
    super.connectedCallback();
    this.draft = draftOf(this.group?.title ?? this.chat?.title ?? "", this.group?.options ?? usualOptions);
    void this.askName();
  }

  override render(): TemplateResult {
    const { group, draft } = this;
    return html`<a class="back" href="/channels">${icon("chevron", 16)} Channels</a>
      <h1>${group ? group.title : `Let Steward answer in ${this.chat?.title}`}</h1>
      <form class="card" novalidate @submit=${this.submit}>
        <p class="hint">${isolationWords}</p>
        ${group ? nothing : this.renderNames()} ${this.renderTrigger()} ${this.renderMode()}
        <details class="more" ?open=${this.hasSandboxProblem}>
          <summary>What its commands may reach</summary>
          <div class="choices">
            ${this.renderLines("hosts", "Hosts they may reach", "One per line, such as example.org. Empty: no network.")}
            ${mountFields(draft.mounts, this.problems.mounts, (mounts) => this.set({ mounts }))}
            ${this.renderLines("credentials", "Hosts for which they may use your sign-in", "From sandbox.credentials in the settings, one per line.")}
            ${textField(
              {
                ...{ id: "timeout", label: "Minutes a command may take", value: draft.timeoutMinutes },
                ...{ mode: "decimal" as const, problem: this.problems.timeoutMinutes },
              },
              (timeoutMinutes) => this.set({ timeoutMinutes }),
            )}
            ${this.renderSandbox()}
          </div>
        </details>
        ${savingRow(this.saving, group ? "Save" : "Let it answer here", html`<a class="button quiet" href="/channels">Cancel</a>`)}
      </form>`;
  }

  private renderNames(): TemplateResult {
    const { draft, problems } = this;
    return html`<div class="two">
      ${textField({ id: "title", label: "What you call it", value: draft.title, problem: problems.title }, (title) => this.set({ title }))}
      ${textField(
        {
          ...{ id: "name", label: "Name of its folder", value: draft.name, problem: problems.name, most: 40 },
          ...{ placeholder: "made from the title", hint: "Small letters, digits and dashes." },
        },
        (name) => this.set({ name }),
      )}
    </div>`;
  }

  private renderTrigger(): TemplateResult {
    const { draft, problems } = this;
    return html`${switchField(
      {
        ...{ id: "needs-trigger", label: "Answer only when it is called", isOn: draft.needsTrigger },
        hint: "Without this, every message there gets an answer.",
      },
      (needsTrigger) => this.set({ needsTrigger }),
    )}
    ${
      draft.needsTrigger
        ? textField(
            {
              ...{ id: "trigger", label: "The word that calls it", value: draft.trigger, problem: problems.trigger },
              ...{
                placeholder: this.assistantName === undefined ? "@ and its name" : `@${this.assistantName}`,
                hint: "At the start of a message, in small or capital letters.",
              },
            },
            (trigger) => this.set({ trigger }),
          )
        : nothing
    }`;
  }

  private renderMode(): TemplateResult {
    return html`<fieldset>
      <legend>When somebody there wants something changed</legend>
      <div class="kinds">
        ${modes.map(
          (mode) => html`<label class="kind">
            <input type="radio" name="mode" value=${mode} .checked=${this.draft.mode === mode} @change=${() => this.set({ mode })} />
            <span><b>${modeNames[mode]}</b><span class="hint">${modeMeanings[mode]}</span></span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }

  private renderSandbox(): TemplateResult {
    const { kind, image } = this.draft;
    const choices = Object.entries(sandboxNames).map(([value, words]) => ({ value, words }));
    return html`${choiceField({ id: "sandbox", label: "What its commands run in", value: kind, choices }, (value) =>
      this.set({ kind: value as GroupDraft["kind"] }),
    )}
    ${
      kind === "bwrap"
        ? nothing
        : textField(
            {
              ...{ id: "image", label: "Image of its containers", value: image, most: 300 },
              ...{ placeholder: "the usual one", hint: "Only where commands run in containers." },
            },
            (typed) => this.set({ image: typed }),
          )
    }`;
  }

  private renderLines(name: "hosts" | "credentials", label: string, hint: string): TemplateResult {
    const problem = this.problems[name];
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <textarea
        id=${name}
        rows="2"
        spellcheck="false"
        aria-invalid=${problem === undefined ? nothing : "true"}
        aria-describedby="${name}-hint ${name}-problem"
        .value=${this.draft[name]}
        @input=${(event: Event) => this.set({ [name]: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
      <p class="hint" id="${name}-hint">${hint}</p>
      <p class="problem" id="${name}-problem" role="alert" ?hidden=${problem === undefined}>${problem}</p>
    </div>`;
  }

  private async askName(): Promise<void> {
    const asked = await load(() => this.app.link.call("agents.list", {}));
    // without it the field still says what it is
    if (asked.state === "ready") this.assistantName = asked.value.agents.find(({ id }) => id === "main")?.name;
  }

  private get hasSandboxProblem(): boolean {
    const { hosts, mounts, credentials, timeoutMinutes } = this.problems;
    return [hosts, mounts, credentials, timeoutMinutes].some((problem) => problem !== undefined);
  }

  private set(change: Partial<GroupDraft>): void {
    this.draft = { ...this.draft, ...change };
    // what is being mended is not complained of any more
    const mended = Object.keys(change);
    this.problems = Object.fromEntries(Object.entries(this.problems).filter(([name]) => !mended.includes(name)));
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.problems = checkDraft(this.draft);
    if (Object.keys(this.problems).length > 0) {
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    let name = "";
    const isSaved = await this.saving.run(async () => {
      name = await this.send();
    });
    if (!isSaved) return;
    this.dispatchEvent(new CustomEvent("changed", { detail: name }));
    this.app.go("/channels");
  }

  /** Returns the name of the group. */
  private async send(): Promise<string> {
    const { app, group, chat, draft } = this;
    if (group) {
      await app.link.call("groups.change", { group: group.name, options: optionsOf(draft, group.options) });
      app.say("Saved.", { tone: "good" });
      return group.name;
    }
    if (!chat) throw new Error("This chat is not there any more. Go back to all channels.");
    const [name, title] = [draft.name.trim(), draft.title.trim()];
    const options = optionsOf(draft, usualOptions);
    const { channel, address } = chat;
    const named = { ...(name !== "" && { name }) };
    const made = await app.link.call("groups.register", { channel, address, title, options, ...named });
    app.say(`Steward answers in ${title} now.`, { tone: "good" });
    return made.name;
  }
}

customElements.define("steward-group-form", StewardGroupForm);
