import { call, type Exchange, type Intent, type Scene, type Step, say } from "../../intent.ts";
import { sayFailed, tell, unquote } from "../../wording.ts";
import { bare } from "./bare.ts";
import { sayPlan } from "./planning.ts";
import { type Line, linesOf, numberedLines, shownLines, titleOf, withoutId } from "./task-lines.ts";

const kinds = "reminders?|alarms?|timers?|tasks?|schedules?|appointments?";
const mostShown = 10;
const timeStart =
  "(?:(?:on|at|in|next|this|every|each|tomorrow|tom+or+ow|today|tonight|noon|midnight|the \\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w*\\b|\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m\\b|\\s+\\p{L}))";

export const changingTasks: readonly Intent[] = [
  change({ verb: "cancel", task: "Cancelling", tool: "cancel_task", example: "cancel the plants" }, [
    // a word alone may be about anything; with the name of what is planned it is clear
    /^(?:cancel|delete|remove|drop|clear|turn off|stop)\s+(?<wanted>(?:(?:all|every|each|my|the|your|our|of)\s+)*(?:reminders?|alarms?|timers?|tasks?|schedules?|appointments?)\b(?![./-]\w).*)$/i,
    /^cancel\s+(?<wanted>\S.*)$/i,
    /^(?:stop|quit)\s+reminding\s+(?:me|us)\s+(?:to|about|of|that)\s+(?<wanted>\S.*)$/i,
    /^(?:delete|remove|drop|turn off|stop)\s+(?<wanted>(?:the|my)\s+\S.*\s(?:reminder|alarm|timer|task|schedule|appointment))[\s.!]*$/i,
  ]),
  change({ verb: "pause", task: "Pausing", tool: "pause_task", example: "pause the plants" }, [
    /^(?:pause|suspend|put on hold)\s+(?<wanted>\S.*)$/i,
  ]),
  change({ verb: "resume", task: "Resuming", tool: "resume_task" }, [/^(?:resume|unpause)\s+(?<wanted>\S.*)$/i]),
  change({ verb: "move", task: "Moving", tool: "schedule_task", example: "move the invoice to Monday at 10" }, [
    new RegExp(`^(?:move|postpone|delay)\\s+(?<wanted>\\S.*?)\\s+(?:to|until|till)\\s+(?<when>${timeStart}.*)$`, "iu"),
    /^reschedule\s+(?<wanted>\S.*?)\s+(?:to|for|until)\s+(?<when>\S.*)$/i,
  ]),
];

type Verb = { verb: string; task: string; tool: string; example?: string };

function change({ example, task, tool, verb }: Verb, patterns: readonly RegExp[]): Intent {
  return {
    ...(example !== undefined && { example }),
    ...{ task, tools: [tool, "list_tasks"], patterns },
    next: ({ wanted = "", when }, done, scene) =>
      changeStep({ verb, tool, wanted: bare(wanted), ...(when !== undefined && { when: bare(when) }) }, done, scene),
  };
}

type Change = { verb: string; tool: string; wanted: string; when?: string };

// words for all of them, or for the only one there is
const unnamed = new RegExp(
  `^(?:everything|(?:all|every|each)\\b.*|(?:my |the |your )*(?:${kinds.replaceAll("s?", "s")}|reminder|task|schedule|appointment))$`,
  "i",
);
const pronoun = /^(?:it|that|this|them|those|that one|this one|the last one)$/i;
const numbered = new RegExp(`^(?:the |my )?(?:(?:${kinds})\\s+)?(?:number |no\\.? ?|#)?(?<number>\\d{1,4})$`, "i");
const named = new RegExp(
  `^(?:(?:the|my|our)\\s+)?(?:(?:${kinds})\\s+(?:(?:to|about|of|for|called|named|that)\\s+)?)?`,
  "i",
);

function changeStep(change: Change, done: readonly Exchange[], scene: Scene): Step {
  const { verb, tool, wanted } = change;
  const changed = done.find((exchange) => exchange.tool === tool);
  if (changed) return sayChanged(change, changed);
  const number = numbered.exec(wanted)?.groups?.number;
  const isUnnamed = unnamed.test(wanted);
  if (number === undefined && !isUnnamed && !pronoun.test(wanted)) return callFor(change, nameIn(wanted));
  const listed = done.find((exchange) => exchange.tool === "list_tasks");
  if (!listed) return call("list_tasks", {});
  if (listed.failed) return sayFailed(listed);
  const present = linesOf(listed.output);
  if (number !== undefined) return numberStep(change, Number(number), present, scene, listed.output);
  const lines = present.filter((line) => isOfKind(line, wanted));
  const [only] = lines;
  if (isUnnamed && only && lines.length === 1) return callFor(change, only.id);
  return say(whichWords(verb, lines.length === 0 ? present : lines, `I ${verb} one at a time.`, listed.output));
}

/** A number is that of the list that the person has seen, whatever has come and gone since. */
function numberStep(change: Change, number: number, present: readonly Line[], scene: Scene, output: string): Step {
  const shown = shownLines(scene);
  const line = (shown ?? present)[number - 1];
  if (!line) return say(whichWords(change.verb, present, `There is no number ${number}.`, output));
  const isThere = present.some(({ id, words }) => id === line.id || titleOf({ id, words }) === line.id);
  if (isThere) return callFor(change, line.id);
  return say(
    `Number ${number} was “${titleOf(line)}”, which has ended meanwhile. Say “what is planned?” for the rest.`,
  );
}

function callFor({ tool, when }: Change, id: string): Step {
  return call(tool, { id, ...(when !== undefined && { when }) });
}

function sayChanged({ verb, tool }: Change, changed: Exchange): Step {
  const lines = changed.failed ? linesOf(changed.output) : [];
  const [problem = ""] = changed.output.split("\n");
  if (/^Several tasks fit/.test(problem))
    return say(
      `${problem.replace(/\. .*$/, ".")} Say “${verb} reminder 1”, or its whole title:\n${numberedLines(lines, mostShown)}`,
    );
  if (/^No task fits/.test(problem)) {
    const more = /^and \d+ more$/m.exec(changed.output);
    return say([problem, ...(lines.length > 0 ? [numberedLines(lines, mostShown)] : []), ...(more ?? [])].join("\n"));
  }
  return tool === "schedule_task" ? sayPlan(changed) : tell(changed, withoutId);
}

function nameIn(wanted: string): string {
  const name = wanted.replace(named, "").replace(new RegExp(`\\s+(?:${kinds})$`, "i"), "");
  return unquote(name) || wanted;
}

/** "all alarms" are the alarms; a reminder may be any of them. */
function isOfKind(line: Line, wanted: string): boolean {
  const kind = /\b(alarm|timer)s?$/i.exec(wanted)?.[1];
  return kind === undefined || titleOf(line).toLowerCase().startsWith(kind.toLowerCase());
}

/** One at a time: what is taken back by a slip is gone for good. */
function whichWords(verb: string, lines: readonly Line[], why: string, output: string): string {
  if (lines.length === 0) return output;
  return `${why} Say “${verb} reminder 1”, or name it:\n${numberedLines(lines, mostShown)}`;
}
