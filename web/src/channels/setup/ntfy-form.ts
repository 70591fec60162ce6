// The topic for push messages: a random one is proposed, since its name is what keeps others out.
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ShownChannel } from "../../../../src/contract/wire/methods/channels.ts";
import type { App } from "../../app/app.ts";
import { controls } from "../../style/controls.ts";
import { textField } from "../../tasks/form/form-field.ts";
import { isRunning } from "../channel-words.ts";
import { type ChannelValues, saveChannelSettings, textOf } from "../save-settings.ts";
import { randomTopic, topicAddress } from "./random-topic.ts";
import { openSaving, savingRow, startAnew } from "./saving.ts";
import { stepStyles } from "./step-styles.ts";

const usualServer = "https://ntfy.sh";

/** Tells `saved`. */
export class StewardNtfyForm extends LitElement {
  static override properties = {
    app: { attribute: false },
    channel: { attribute: false },
    values: { attribute: false },
    topic: { state: true },
    url: { state: true },
  };
  static override styles = [controls, stepStyles, css`:host { display: block; }`];
  declare app: App;
  declare channel: ShownChannel;
  declare values: ChannelValues;
  declare topic: string | undefined;
  declare url: string | undefined;
  private readonly saving = openSaving(this);
  private readonly proposed = randomTopic((bytes) => crypto.getRandomValues(bytes));

  override render(): TemplateResult {
    const topic = {
      ...{ id: "topic", label: "Topic", most: 64, value: this.shownTopic },
      hint: "Whoever knows the topic can read along. This one was drawn at random; keep it to yourself.",
    };
    const url = {
      ...{ id: "url", label: "Server", value: this.shownUrl, placeholder: usualServer },
      hint: "ntfy.sh works at once; a server of your own keeps everything with you.",
    };
    return html`<form class="body" novalidate @submit=${this.submit}>
      <p>ntfy is a free app that shows what is sent to a topic, which is only a name. Steward sends, your phone follows.</p>
      ${textField(topic, (value) => {
        this.topic = value;
      })}
      ${textField(url, (value) => {
        this.url = value;
      })}
      <div class="field">
        <label for="token">Access token</label>
        <input id="token" name="token" type="password" maxlength="1000" autocomplete="off" aria-describedby="token-hint" />
        <p class="hint" id="token-hint">Only if your server asks for one: it is the password for the topic.</p>
      </div>
      ${savingRow(this.saving, isRunning(this.channel) ? "Save and connect" : "Save")}
    </form>`;
  }

  private get shownTopic(): string {
    return this.topic ?? (textOf(this.values, "topic") || this.proposed);
  }

  private get shownUrl(): string {
    return this.url ?? (textOf(this.values, "url") || usualServer);
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const token = String(new FormData(form).get("token") ?? "").trim();
    const [topic, url] = [this.shownTopic.trim(), this.shownUrl.trim()];
    const isSaved = await this.saving.run(async () => {
      if (topic === "") throw new Error("Choose a topic, or take the one that was proposed.");
      if (topicAddress(url, topic) === undefined) throw new Error("Write the server with https:// in front.");
      await saveChannelSettings(this.app.link, "ntfy", { topic, url });
      if (token !== "") await this.app.link.call("channels.set_secret", { name: "NTFY_TOKEN", value: token });
      form.reset();
      if (isRunning(this.channel)) await startAnew(this.app);
    });
    if (!isSaved) return;
    this.topic = undefined;
    this.url = undefined;
    this.dispatchEvent(new Event("saved"));
  }
}

/** How the phone comes to follow it. */
export function followSteps(values: ChannelValues): TemplateResult {
  const topic = textOf(values, "topic");
  const address = topicAddress(textOf(values, "url") || usualServer, topic);
  return html`<ol>
      <li>Install the app <b>ntfy</b> on your phone, from its app store or from F-Droid.</li>
      <li>Press <b>+</b> in it and write the topic: <b>${topic}</b>${address?.startsWith(`${usualServer}/`) ? nothing : html` (with “Use another server”)`}</li>
      <li>Allow its notifications, so that the phone may ring when something waits for you.</li>
    </ol>
    ${address === undefined ? nothing : html`<p>Or follow it in a browser: <a href=${address} target="_blank" rel="noopener noreferrer">${address}</a></p>`}`;
}

customElements.define("steward-ntfy-form", StewardNtfyForm);
