import { html, type TemplateResult } from "lit";
import { CallFailed } from "../gateway/gateway-link.ts";
import { icon } from "../style/icons.ts";

/** Something that a page has asked the gateway for. */
export type Loading<Value> =
  | { state: "loading" }
  | { state: "failed"; message: string; isMissing: boolean }
  | { state: "ready"; value: Value };

export const loading = { state: "loading" } as const;

export type Answered<Value> = Exclude<Loading<Value>, { state: "loading" }>;

export async function load<Value>(ask: () => Promise<Value>): Promise<Answered<Value>> {
  try {
    return { state: "ready", value: await ask() };
  } catch (error) {
    const isMissing = error instanceof CallFailed && error.code === "not_found";
    return { state: "failed", message: failureWords(error), isMissing };
  }
}

/** The gateway's refusals are written for people already. */
export function failureWords(error: unknown): string {
  return error instanceof Error && error.message !== "" ? error.message : "Something went wrong.";
}

export function failedNotice(message: string, retry: () => void): TemplateResult {
  return html`
    <div class="empty" role="alert">
      ${icon("warning")}
      <h2>This could not be loaded</h2>
      <p>${message}</p>
      <button @click=${retry}>${icon("retry")} Try again</button>
    </div>
  `;
}
