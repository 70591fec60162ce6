import { html, nothing, type TemplateResult } from "lit";
import { formatDuration } from "../../../src/contract/words/amounts.ts";
import { icon } from "../style/icons.ts";
import type { Trial } from "./trial.ts";

const words: Readonly<Record<Trial["state"], { name: string; tone: string }>> = {
  running: { name: "Running", tone: "accent" },
  asks: { name: "Waits for your answer", tone: "warning" },
  done: { name: "Done", tone: "good" },
  failed: { name: "Did not work", tone: "danger" },
  denied: { name: "Not allowed", tone: "warning" },
  stopped: { name: "Stopped", tone: "" },
  unknown: { name: "Nobody knows whether it was done", tone: "danger" },
};

/** What came of a trial: the result, the question with its reason, or why it was refused. */
export function renderOutcome(trial: Trial, sessionKey: string | undefined): TemplateResult {
  const { name, tone } = words[trial.state];
  const took = trial.durationMs === undefined ? "" : formatDuration(trial.durationMs);
  const changed =
    trial.changedFiles === 0 ? "" : `changed ${trial.changedFiles} ${trial.changedFiles === 1 ? "file" : "files"}`;
  return html`<p>
      <span class="chip ${tone}">${name}</span>
      <span class="muted">${[took, changed].filter(Boolean).join(" · ")}</span>
      ${trial.changedFiles > 0 && sessionKey ? html`<a href="/activity/in=${sessionKey}">Look and undo</a>` : nothing}
    </p>
    ${trial.state === "running" && trial.progress ? html`<div class="well" tabindex="0" role="group" aria-label="Progress">${trial.progress}</div>` : nothing}
    ${trial.state === "asks" && trial.question ? renderQuestion(trial.question) : nothing}
    ${trial.output ? html`<div class="well" tabindex="0" role="group" aria-label="Result">${trial.output}</div>` : nothing}`;
}

function renderQuestion(question: NonNullable<Trial["question"]>): TemplateResult {
  return html`<p>${icon("shield", 16)} ${question.reason} <a href="/inbox">Answer it in the Inbox</a> or here.</p>`;
}
