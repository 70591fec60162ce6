import { css, html, LitElement, type TemplateResult } from "lit";
import { codeInPaste, type SignedIn } from "../gateway/sign-in.ts";
import { controls } from "../style/controls.ts";
import { icon } from "../style/icons.ts";
import { mark } from "./mark.ts";

export class StewardSignInPage extends LitElement {
  static override properties = {
    signIn: { attribute: false },
    problem: { attribute: false },
    isBusy: { state: true },
  };
  static override styles = [
    controls,
    css`
      :host { display: grid; place-items: center; min-height: 100dvh; padding: var(--space-4); overflow: auto; }
      main { display: grid; gap: var(--space-5); width: min(440px, 100%); }
      .mark { width: 44px; height: 44px; color: var(--accent); }
      .mark svg { width: 100%; height: 100%; }
      p { color: var(--ink-soft); text-wrap: pretty; }
      h1 + p { margin-top: var(--space-2); }
      .well { display: flex; align-items: center; justify-content: space-between; gap: var(--space-3); padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4); }
      form { display: grid; gap: var(--space-3); }
      form .primary { justify-self: start; }
    `,
  ];
  declare signIn: (code: string) => Promise<SignedIn>;
  declare problem: string | undefined;
  declare isBusy: boolean;

  override render(): TemplateResult {
    return html`<main>
      <div class="mark">${mark}</div>
      <div>
        <h1>You are signed out</h1>
        <p>This page belongs to the person who runs Steward. To come in, run this on the machine where it runs:</p>
      </div>
      <div class="well">
        <code>npm run steward -- open</code>
        <button class="quiet icon" aria-label="Copy the command" @click=${this.copy}>${icon("copy", 18)}</button>
      </div>
      <p>It prints a link. Open it in this browser, or paste the link or its code here.</p>
      <form @submit=${this.submit}>
        <div class="field">
          <label for="code">One-time code</label>
          <input
            id="code"
            name="code"
            autocomplete="one-time-code"
            autocapitalize="off"
            spellcheck="false"
            required
            aria-invalid=${this.problem ? "true" : "false"}
            aria-describedby="problem"
          />
          <p class="problem" id="problem" role="alert">${this.problem}</p>
        </div>
        <button class="primary" ?disabled=${this.isBusy}>${this.isBusy ? icon("spinner", 16) : ""} Sign in</button>
      </form>
    </main>`;
  }

  private async copy(): Promise<void> {
    await navigator.clipboard.writeText("npm run steward -- open");
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const field = this.renderRoot.querySelector("input");
    const code = codeInPaste(field?.value ?? "");
    if (!code) {
      this.problem = "There is no code in this. It is the part after #code= in the link.";
      return;
    }
    this.isBusy = true;
    const signedIn = await this.signIn(code);
    this.isBusy = false;
    this.problem = signedIn.ok ? undefined : signedIn.problem;
    if (!signedIn.ok) field?.select();
  }
}

customElements.define("steward-sign-in-page", StewardSignInPage);
