// The mailbox and its servers, or whose mails are answered. Saved all at once.
import { css, html, LitElement, type TemplateResult } from "lit";
import type { ShownChannel } from "../../../../src/contract/wire/methods/channels.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { choiceField, textField } from "../../tasks/form/form-field.ts";
import { isRunning } from "../channel-words.ts";
import { type ChannelValues, listOf, saveChannelSettings, textOf } from "../save-settings.ts";
import { guessServers } from "./mail-servers.ts";
import { openSaving, savingRow, startAnew } from "./saving.ts";
import { stepStyles } from "./step-styles.ts";

type Draft = Readonly<Record<string, string>>;
type Question = "servers" | "answer";

const encryptions = [
  { value: "tls", words: "Encrypted from the start (TLS)" },
  { value: "starttls", words: "Encrypted after a greeting (STARTTLS)" },
  { value: "none", words: "Not at all, for a server on this machine" },
];

/** Tells `saved`. */
export class StewardEmailForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    values: { attribute: false },
    question: {},
    draft: { state: true },
  };
  static override styles = [controls, stepStyles, css`:host { display: block; }`];
  declare app: App;
  declare channel: ShownChannel;
  declare values: ChannelValues;
  declare question: Question;
  declare draft: Draft;
  private readonly saving = openSaving(this);

  constructor() {
    super();
    this.draft = {};
  }

  override render(): TemplateResult {
    const words = isRunning(this.channel) ? "Save and connect" : "Save";
    return html`<form class="body" novalidate @submit=${this.submit}>
      ${this.question === "servers" ? this.renderServers() : this.renderAnswer()}
      ${savingRow(this.saving, words)}
    </form>`;
  }

  private renderServers(): TemplateResult {
    return html`<p>
        Best a mailbox of Steward's own. Your provider's help pages name the servers under IMAP and SMTP; with two-step sign-in, also
        make an <b>app password</b> there.
      </p>
      ${this.field("address", { label: "Address of the mailbox", placeholder: "steward@example.org", most: 320 })}
      <div class="two">
        ${this.field("imapHost", { label: "Server that holds the mails (IMAP)", placeholder: "imap.example.org", most: 253 })}
        ${this.field("smtpHost", { label: "Server that sends (SMTP)", placeholder: "smtp.example.org", most: 253 })}
      </div>
      <details>
        <summary>More choices</summary>
        <div class="body">
          <div class="two">
            ${this.field("user", { label: "Name to sign in with", hint: "Empty: the address." })}
            ${this.field("mailbox", { label: "Folder that is watched", placeholder: "INBOX" })}
          </div>
          <div class="two">${this.field("imapPort", { label: "IMAP port", hint: "Empty: the usual one." })} ${this.encryptionField("imapEncryption", "IMAP connection")}</div>
          <div class="two">${this.field("smtpPort", { label: "SMTP port", hint: "Empty: the usual one." })} ${this.encryptionField("smtpEncryption", "SMTP connection")}</div>
        </div>
      </details>`;
  }

  private renderAnswer(): TemplateResult {
    return html`<p>
        Anybody can put any name on a mail. So a mail is answered only if its sender is listed here <b>and</b> your mail server vouches
        for them. What a mail asks to change, you are asked about elsewhere first.
      </p>
      <div class="field">
        <label for="allowed">Whose mails are answered</label>
        <textarea
          id="allowed"
          rows="2"
          placeholder="anna@example.org, one per line"
          spellcheck="false"
          .value=${this.valueIn("allowedUserIds")}
          @input=${(event: Event) => this.set({ allowedUserIds: (event.target as HTMLTextAreaElement).value })}
        ></textarea>
      </div>
      ${this.field("authServer", {
        label: "Name of your mail server",
        placeholder: "mx.example.org",
        most: 253,
        hint: "The first word after “Authentication-Results:” among the headers of any mail you have received.",
      })}
      <p class="hint">You can skip this. Then no mail is answered, but searching, reading and sending still work.</p>`;
  }

  private field(
    name: string,
    words: { label: string; placeholder?: string; hint?: string; most?: number },
  ): TemplateResult {
    return textField({ id: name, value: this.valueIn(name), ...words }, (value) => this.set({ [name]: value }));
  }

  private encryptionField(name: string, label: string): TemplateResult {
    const field = { id: name, label, value: this.valueIn(name) || "tls", choices: encryptions };
    return choiceField(field, (value) => this.set({ [name]: value }));
  }

  private valueIn(name: string): string {
    const typed = this.draft[name];
    if (typed !== undefined) return typed;
    if (name === "allowedUserIds") return listOf(this.values, name).join("\n");
    if (name.endsWith("Port")) return typeof this.values[name] === "number" ? String(this.values[name]) : "";
    return textOf(this.values, name);
  }

  private set(change: Draft): void {
    const before = guessServers(this.valueIn("address"));
    const guess = "address" in change ? guessServers(change.address ?? "") : undefined;
    // what somebody has typed themselves is not replaced by a better guess
    const isFree = (name: "imapHost" | "smtpHost") => ["", before?.[name]].includes(this.valueIn(name));
    this.draft = {
      ...this.draft,
      ...(guess && isFree("imapHost") && { imapHost: guess.imapHost }),
      ...(guess && isFree("smtpHost") && { smtpHost: guess.smtpHost }),
      ...change,
    };
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const isSaved = await this.saving.run(async () => {
      await saveChannelSettings(this.app.link, "email", this.changes());
      if (isRunning(this.channel)) await startAnew(this.app);
    });
    if (!isSaved) return;
    this.draft = {};
    this.dispatchEvent(new Event("saved"));
  }

  private changes(): ChannelValues {
    if (this.question === "answer")
      return {
        allowedUserIds: this.valueIn("allowedUserIds")
          .split(/[\s,;]+/)
          .filter(Boolean),
        authServer: this.valueIn("authServer").trim(),
      };
    const texts = ["address", "imapHost", "smtpHost"].map((name) => [name, this.valueIn(name).trim()]);
    if (texts.some(([, value]) => value === "")) throw new Error("Fill in the address and both servers.");
    const others = Object.keys(this.draft).filter((name) => !texts.some(([known]) => known === name));
    return Object.fromEntries([...texts, ...others.map((name) => [name, this.readOther(name)])]);
  }

  /** Null takes the default back. */
  private readOther(name: string): string | number | null {
    const text = this.valueIn(name).trim();
    if (text === "") return null;
    if (!name.endsWith("Port")) return text;
    if (!/^\d{1,5}$/.test(text)) throw new Error("A port is a number, such as 993.");
    return Number(text);
  }
}

customElements.define("steward-email-form", StewardEmailForm);
