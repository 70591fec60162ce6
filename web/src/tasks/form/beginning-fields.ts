// What begins a run, when it is not a time.
import { html, nothing, type TemplateResult } from "lit";
import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import { choiceField, switchField, textField } from "./form-field.ts";
import type { Beginning, DraftProblems, TaskDraft } from "./task-draft.ts";

export const beginnings: readonly { value: Beginning; words: string }[] = [
  { value: "time", words: "At a time" },
  { value: "webhook", words: "When another program calls (webhook)" },
  { value: "file", words: "When a file or folder changes" },
  { value: "mail", words: "When a mail comes" },
  { value: "command", words: "When a command in the background ends" },
  { value: "task", words: "When another task has run" },
];

export type FieldDeps = {
  draft: TaskDraft;
  problems: DraftProblems;
  set(change: Partial<TaskDraft>): void;
};

export function beginningFields(deps: FieldDeps, tasks: readonly PlannedTask[]): TemplateResult | typeof nothing {
  switch (deps.draft.begins) {
    case "time":
      return nothing;
    case "webhook":
      return hookFields(deps);
    case "file":
      return fileField(deps);
    case "mail":
      return mailFields(deps);
    case "command":
      return commandField(deps);
    case "task":
      return taskFields(deps, tasks);
    default:
      return deps.draft.begins satisfies never;
  }
}

function hookFields({ draft, set }: FieldDeps): TemplateResult {
  const name = {
    id: "hook-name",
    label: "Name of the webhook",
    value: draft.hookName,
    placeholder: "Such as: new invoice",
    hint: "You get its address when you make it. What comes in is treated as a stranger's words.",
    most: 80,
  };
  const signed = {
    id: "signed",
    label: "Only signed requests",
    hint: "The sender proves by a secret that it is the one (Standard Webhooks). Off: whoever knows the address can send.",
    isOn: draft.signed,
  };
  return html`${textField(name, (hookName) => set({ hookName }))}
  ${switchField(signed, (isOn) => set({ signed: isOn }))}`;
}

function fileField({ draft, problems, set }: FieldDeps): TemplateResult {
  const field = {
    id: "path",
    label: "Which file or folder",
    value: draft.path,
    placeholder: "Such as: notes/inbox.md",
    hint: "A path in the workspace.",
    problem: problems.path,
    most: 1000,
  };
  return textField(field, (path) => set({ path }));
}

function mailFields({ draft, set }: FieldDeps): TemplateResult {
  const from = {
    id: "mail-from",
    label: "Only mails from",
    value: draft.mailFrom,
    placeholder: "Such as: boss@example.org, or @example.org",
    hint: "Left empty: from anybody. Anybody can write any sender, so what comes in is treated as a stranger's words.",
    most: 320,
  };
  const subject = {
    id: "mail-subject",
    label: "Only with these words in the subject",
    value: draft.mailSubject,
    placeholder: "Such as: invoice",
    most: 200,
  };
  return html`${textField(from, (mailFrom) => set({ mailFrom }))}
  ${textField(subject, (mailSubject) => set({ mailSubject }))}`;
}

function commandField({ draft, set }: FieldDeps): TemplateResult {
  const field = {
    id: "matching",
    label: "Only commands with these words",
    value: draft.matching,
    placeholder: "Such as: npm run build",
    hint: "Left empty: every command that Steward has left running.",
  };
  return textField(field, (matching) => set({ matching }));
}

function taskFields({ draft, problems, set }: FieldDeps, tasks: readonly PlannedTask[]): TemplateResult {
  const choices = [
    { value: "", words: tasks.length === 0 ? "There is no other task" : "Choose a task" },
    ...tasks.map(({ id, title }) => ({ value: id, words: title })),
  ];
  const ends = [
    { value: "any", words: "However it ended" },
    { value: "done", words: "Only when it went well" },
    { value: "failed", words: "Only when it failed" },
  ];
  const which = { id: "after", label: "Which task", value: draft.afterTask, choices, problem: problems.afterTask };
  const how = { id: "after-when", label: "How it ended", value: draft.afterWhen, choices: ends };
  return html`<div class="two">
    ${choiceField(which, (afterTask) => set({ afterTask }))}
    ${choiceField(how, (value) => set({ afterWhen: value as TaskDraft["afterWhen"] }))}
  </div>`;
}
