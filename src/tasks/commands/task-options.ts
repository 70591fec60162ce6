import type { CommandOption } from "../../contract/room/command.ts";

/** What begins a run; one of them is given. */
export const triggerOptions: readonly CommandOption[] = [
  { form: "--when <words>", description: 'a time, such as "tomorrow at six", "every weekday at 9" or "0 8 * * 1"' },
  { form: "--on-file <path>", description: "instead of a time: when this file or folder of the workspace changes" },
  {
    form: "--on-mail [which]",
    description: 'instead: when a mail comes, such as "from=a@example.org subject=invoice"',
  },
  { form: "--on-command [words]", description: "instead: when a background command ends, only one with these words" },
  { form: "--after-task <task>", description: "instead: when a run of this other task ends" },
  { form: "--outcome <how>", description: "with --after-task: only such a run", choices: ["any", "done", "failed"] },
  { form: "--webhook <name>", description: "instead: when its own address is called; that and a secret are printed" },
  { form: "--unsigned", description: "with --webhook: calls need no signature, only the address" },
];

export const remindOption: CommandOption = {
  form: "--remind",
  description: "say the words as they are, without a model",
};

export const groupOption: CommandOption = {
  form: "--group <name>",
  description: "with --when: a group's own task, with its rights, which tells the group; as listed by: steward groups",
};

export const choiceOptions: readonly CommandOption[] = [
  { form: "--title <title>", description: "what the list calls it" },
  { form: "--until <words>", description: 'what ends it once it holds, such as "the parcel has come"' },
  {
    form: "--deliver-to <place>",
    description: "origin, last, main, none, a channel or a conversation",
    completes: "session",
  },
  {
    form: "--missed <how>",
    description: "times that passed while Steward was off: one run for all, a run each, or none",
    choices: ["once", "all", "skip"],
  },
  {
    form: "--overlap <how>",
    description: "a time that comes while the run before it goes on: pass it by, or wait",
    choices: ["skip", "wait"],
  },
  { form: "--budget <dollars>", description: "what one run may cost" },
  { form: "--model <name>", description: "the model that does it, such as ollama/qwen3" },
  { form: "--agent <name>", description: "the agent that does it" },
  { form: "--time-zone <zone>", description: "where the time is meant, such as Europe/Berlin" },
  { form: "--delete-after-run", description: "leave the list with its last run" },
];
