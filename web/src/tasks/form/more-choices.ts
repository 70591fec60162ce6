// What most people never touch: folded away, each with a default that suits.
import { html, nothing, type TemplateResult } from "lit";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { isBackground, sessionName } from "../../words.ts";
import type { FieldDeps } from "./beginning-fields.ts";
import { type Choice, choiceField, switchField, textField } from "./form-field.ts";
import { type TaskDraft, usualOverlap } from "./task-draft.ts";

export type Known = { sessions: readonly Session[]; models: readonly string[]; agents: readonly Choice[] };

const mostSessions = 50;

export function moreChoices(deps: FieldDeps, known: Known): TemplateResult {
  const isDoing = deps.draft.action === "do";
  return html`<details class="more">
    <summary>More choices</summary>
    <div class="choices">
      ${nameField(deps)} ${deliveryField(deps, known.sessions)}
      ${deps.draft.begins === "time" ? timeFields(deps) : nothing} ${isDoing ? doingFields(deps, known) : nothing}
      ${switchField(
        {
          id: "delete",
          label: "Leave the list after its run",
          hint: "It is not kept among the ended tasks.",
          isOn: deps.draft.deleteAfterRun,
        },
        (deleteAfterRun) => deps.set({ deleteAfterRun }),
      )}
    </div>
  </details>`;
}

function nameField({ draft, set }: FieldDeps): TemplateResult {
  const hint = "Left empty: Steward takes it from the words.";
  return textField({ id: "title", label: "Name", value: draft.title, hint, most: 120 }, (title) => set({ title }));
}

function deliveryField({ draft, set }: FieldDeps, sessions: readonly Session[]): TemplateResult {
  const usual: readonly Choice[] = [
    { value: "last", words: "Where I last wrote" },
    { value: "main", words: "In the terminal's conversation" },
    { value: "none", words: "Nowhere: keep the answers with the task" },
  ];
  const own = sessions
    .filter(({ sessionKey }) => !isBackground(sessionKey))
    .slice(0, mostSessions)
    .map((session) => ({ value: session.sessionKey, words: `In “${sessionName(session)}”` }));
  const listed = [...usual, ...own];
  const isListed = listed.some(({ value }) => value === draft.deliverTo);
  // a task that is made here was made in no conversation; only one that was can go back there
  const words = draft.deliverTo === "origin" ? "In the conversation it was made in" : draft.deliverTo;
  const choices = isListed ? listed : [{ value: draft.deliverTo, words }, ...listed];
  const field = { id: "deliver", label: "Where it tells you", value: draft.deliverTo, choices };
  return choiceField(field, (deliverTo) => set({ deliverTo }));
}

function timeFields({ draft, set }: FieldDeps): TemplateResult {
  const missed = [
    { value: "once", words: "Run once, late" },
    { value: "all", words: "Run for every time that was missed" },
    { value: "skip", words: "Leave them out" },
  ];
  const zone = {
    id: "zone",
    label: "Time zone",
    value: draft.timeZone,
    placeholder: "Such as: Europe/Berlin",
    hint: "Left empty: where Steward is at home.",
    list: "zones",
    most: 60,
  };
  return html`<div class="two">
    ${choiceField(
      { id: "missed", label: "If Steward was off at the time", value: draft.missed, choices: missed },
      (value) => set({ missed: value as TaskDraft["missed"] }),
    )}
    ${textField(zone, (timeZone) => set({ timeZone }))}
    <datalist id="zones">${Intl.supportedValuesOf("timeZone").map((name) => html`<option value=${name}></option>`)}</datalist>
  </div>`;
}

function doingFields({ draft, problems, set }: FieldDeps, { models, agents }: Known): TemplateResult {
  const overlap = [
    { value: "skip", words: "Leave this time out" },
    { value: "wait", words: "Wait for it, then run" },
  ];
  const until = {
    id: "until",
    label: "Until",
    value: draft.until,
    placeholder: "Such as: the parcel has arrived",
    hint: "In words. When it holds, the task ends by itself.",
    most: 1000,
  };
  const budget = {
    id: "budget",
    label: "Most that one run may cost, in US dollars",
    value: draft.budgetUsd,
    placeholder: "No limit of its own",
    problem: problems.budgetUsd,
    mode: "decimal" as const,
  };
  const usual = { value: "", words: "As usual" };
  const named = models.map((name) => ({ value: name, words: name }));
  return html`${textField(until, (value) => set({ until: value }))}
    <div class="two">
      ${choiceField(
        {
          id: "overlap",
          label: "If the run before is still under way",
          value: draft.overlap || usualOverlap(draft.begins),
          choices: overlap,
        },
        (value) => set({ overlap: value as TaskDraft["overlap"] }),
      )}
      ${textField(budget, (budgetUsd) => set({ budgetUsd }))}
      ${choiceField({ id: "model", label: "Model", value: draft.model, choices: [usual, ...withOwn(named, draft.model)] }, (model) => set({ model }))}
      ${choiceField({ id: "agent", label: "Agent", value: draft.agent, choices: [usual, ...withOwn(agents, draft.agent)] }, (agent) => set({ agent }))}
    </div>`;
}

// what was chosen once stays choosable, also when the list could not be read
function withOwn(choices: readonly Choice[], own: string): readonly Choice[] {
  return own === "" || choices.some(({ value }) => value === own) ? choices : [...choices, { value: own, words: own }];
}
