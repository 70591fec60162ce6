// One step that saves something: busy meanwhile, what went wrong afterwards, and Steward's new start where one is needed.
import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { App } from "../../app/app.ts";
import { applySettings } from "../../settings/apply-settings.ts";
import { failureWords } from "../../settings/loading.ts";
import { icon } from "../../style/icons.ts";
import { isFocusLost } from "./first-control.ts";

export type Saving = {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** True when it went well. A second one while the first goes on is left out. */
  run(save: () => Promise<void>): Promise<boolean>;
};

export function openSaving(host: ReactiveControllerHost & { shadowRoot: ShadowRoot | null }): Saving {
  let isBusy = false;
  let problem: string | undefined;
  return {
    get isBusy() {
      return isBusy;
    },
    get problem() {
      return problem;
    },
    async run(save) {
      if (isBusy) return false;
      const focused = host.shadowRoot?.activeElement;
      isBusy = true;
      problem = undefined;
      host.requestUpdate();
      try {
        await save();
      } catch (error) {
        problem = failureWords(error);
      }
      isBusy = false;
      host.requestUpdate();
      await host.updateComplete;
      // a button that is off while it works loses the keyboard
      if (focused instanceof HTMLElement && isFocusLost()) focused.focus();
      return problem === undefined;
    },
  };
}

/** Uses what was saved. */
export async function startAnew({ link }: Pick<App, "link">): Promise<void> {
  if (!(await applySettings(link)))
    throw new Error("It is saved, but Steward has not come back yet. Look at the terminal in which it runs.");
}

/** The button of a form, and below it what went wrong. */
export function savingRow(
  saving: Saving,
  words: string,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<div class="row">
      <button class="primary" ?disabled=${saving.isBusy}>
        ${saving.isBusy ? icon("spinner", 16) : nothing} ${saving.isBusy ? "One moment…" : words}
      </button>
      ${more}
    </div>
    <p class="problem" role="alert" ?hidden=${saving.problem === undefined}>${saving.problem}</p>`;
}
