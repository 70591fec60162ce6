// The tokens or the password of a channel. They go to the gateway and are shown nowhere again.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ShownChannel } from "../../../../src/contract/wire/methods/channels.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { isRunning } from "../channel-words.ts";
import { openSaving, savingRow, startAnew } from "./saving.ts";
import { stepStyles } from "./step-styles.ts";

type SecretWords = { label: string; hint: string };

const words: Readonly<Record<string, SecretWords>> = {
  TELEGRAM_BOT_TOKEN: { label: "Token of the bot", hint: "It looks like 123456789:AAExampleExample." },
  SLACK_BOT_TOKEN: { label: "Bot token", hint: "It begins with xoxb-." },
  SLACK_APP_TOKEN: { label: "App token", hint: "It begins with xapp-." },
  DISCORD_BOT_TOKEN: { label: "Token of the bot", hint: "A long line of letters with two dots in it." },
  EMAIL_PASSWORD: { label: "Password of the mailbox", hint: "Best an app password, made for Steward alone." },
};

/** Tells `saved`. */
export class StewardSecretForm extends LitElement {
  static override properties = { app: { attribute: false }, channel: { attribute: false } };
  static override styles = [controls, stepStyles, css`:host { display: block; }`];
  declare app: App;
  declare channel: ShownChannel;
  private readonly saving = openSaving(this);

  override render(): TemplateResult {
    const { secrets, name } = this.channel;
    return html`<form class="body" novalidate @submit=${this.submit}>
      <p>
        ${
          name === "email"
            ? "Steward signs in to the mailbox with it. It is kept in a file on this machine that only you can read."
            : "A token is the bot's password: whoever has it can speak as the bot. It is kept in a file on this machine that only you can read."
        }
      </p>
      ${secrets.map((secret) => renderSecret(secret))}
      ${savingRow(this.saving, isRunning(this.channel) ? "Save and connect" : "Save")}
    </form>`;
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const typed = [...new FormData(form)].map(([name, value]) => ({ name, value: String(value).trim() }));
    const given = typed.filter(({ value }) => value !== "");
    const isSaved = await this.saving.run(async () => {
      if (given.length === 0) throw new Error("Paste it into the field first.");
      for (const secret of given) await this.app.link.call("channels.set_secret", secret);
      form.reset();
      // any other takes it when it is switched on
      if (isRunning(this.channel)) await startAnew(this.app);
    });
    if (isSaved) this.dispatchEvent(new Event("saved"));
  }
}

function renderSecret({ name, found }: ShownChannel["secrets"][number]): TemplateResult {
  const { label, hint } = words[name] ?? { label: name, hint: "" };
  return html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      type="password"
      maxlength="1000"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="${name}-hint"
      placeholder=${found ? "There is one already; a new one takes its place" : nothing}
    />
    <p class="hint" id="${name}-hint" ?hidden=${hint === ""}>${hint}</p>
  </div>`;
}

customElements.define("steward-secret-form", StewardSecretForm);
