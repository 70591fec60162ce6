import { call, type Exchange, type Intent, type Step, say, type Words } from "../intent.ts";
import { sayFailed, tell, unquote } from "../wording.ts";

// the tool finds the time in a sentence by itself; what stands here only knows where the sentence begins
const leadingWord = /^(?:to|about|of|that)\s+/i;
const questionWord = /^(?:what|who|whom|whose|when|where|why|how|which|if|whether)\b/i;
const repeats = new Map([
  ["hourly", "every hour"],
  ["daily", "every day"],
  ["weekly", "every week"],
  ["monthly", "every month"],
]);
const kinds = "reminders?|alarms?|timers?|tasks?|schedules?|appointments?";

export const tasks: readonly Intent[] = [
  {
    task: "Reminding you",
    tools: ["schedule_task"],
    example: "remind me tomorrow at six to call mum",
    patterns: [
      /^remind\s+(?:me|us)\b[\s,:]*(?<sentence>.*)$/is,
      /^(?:set|create|add|make|schedule)\s+(?:me\s+)?(?:a|an|another|the)\s+(?:(?<often>\w+)\s+)?reminder\b[\s,:]*(?:for\s+)?(?<sentence>.*)$/is,
      /^schedule\s+(?<sentence>\S.*)$/is,
    ],
    next: ({ sentence, often = "" }, done) => {
      const words = bare(sentence).replace(leadingWord, "").trim();
      // "remind me what I said" asks, and plans nothing
      if (questionWord.test(words)) return undefined;
      if (words === "")
        return say("What should I remind you of, and when? Say “remind me tomorrow at six to call mum”.");
      const time = repeats.get(often.toLowerCase());
      return plan(done, { sentence: time === undefined ? words : `${words} ${time}` });
    },
  },
  {
    task: "Reminding you",
    tools: ["schedule_task"],
    patterns: [
      /^(?<when>(?:every|each|on|at|in|tomorrow|today|tonight|next|this|from)\b.{1,200}?)[\s,]+(?:please\s+)?(?:remind\s+(?:me|us)(?:\s+(?:to|about|of|that))?|tell\s+(?:me|us)\s+(?:to|that))\s+(?<what>\S.*)$/is,
      /^(?<when>(?:tomorrow|today|tonight))[\s,]+(?:please\s+)?remind\s+(?:me|us)(?:\s+(?:to|about|of|that))?\s+(?<what>\S.*)$/is,
    ],
    next: ({ when = "", what }, done) => plan(done, { remind: bare(what), when }),
  },
  {
    task: "Setting a timer",
    tools: ["schedule_task"],
    example: "set a timer for 10 minutes",
    patterns: [
      /^(?:set|start|create|make)\s+(?:me\s+)?(?:a|an|another|the)\s+timer(?:\s+(?:for|of|to)\s+(?<length>\S.*)|[\s.!?]*)$/i,
      /^(?:set|start|create|make)\s+(?:me\s+)?(?:a|an|another|the)\s+(?<length>\S.{0,100}?)\s+timer[\s.!?]*$/i,
      /^timer[\s:]+(?:for\s+)?(?<length>\S.*)$/i,
    ],
    next: ({ length }, done) => {
      const time = lengthWords(bare(length));
      if (time === "") return say("For how long? Say “set a timer for 10 minutes”.");
      return plan(done, { remind: `Time is up: ${time}.`, when: `in ${time}`, title: `Timer: ${time}` });
    },
  },
  {
    task: "Setting an alarm",
    tools: ["schedule_task"],
    example: "wake me at 7",
    patterns: [
      /^(?:set|create|make|add)\s+(?:me\s+)?(?:a|an|another|the|my)\s+alarm(?:\s+clock)?(?:\s+(?:for\s+|to\s+)?(?<when>\S.*)|[\s.!?]*)$/i,
      /^wake\s+(?:me|us)(?:\s+up)?(?:\s+(?<when>\S.*)|[\s.!?]*)$/i,
    ],
    next: ({ when }, done) => {
      const time = bare(when);
      if (time === "") return say("At what time? Say “wake me tomorrow at 7”.");
      return plan(done, {
        remind: "Time to wake up.",
        when: wakingTime(`${missingWord(time)}${time}`),
        title: "Alarm",
      });
    },
  },
  {
    task: "Telling what is planned",
    tools: ["list_tasks"],
    example: "what is planned?",
    patterns: [
      /^what(?:'s|’s| is| are)(?: (?:all|still|currently|already))? (?:planned|scheduled|coming up)(?: (?:for )?(?:me|us|now|today|tomorrow|this week|next|later))*[\s.?!]*$/i,
      /^what (?:do|have|did) (?:you|i|we) (?:have |got )?(?:planned|scheduled|coming up)(?: (?:for )?(?:me|us|now|today|tomorrow|this week|next|later))*[\s.?!]*$/i,
      /^(?:(?:what|which)(?: (?:are|is|about))?|list|show(?: me)?|tell me|give me)(?: (?:all|of|my|the|your|our|open|planned))* (?:reminders?|alarms?|timers?|tasks|schedules?|plans|appointments)(?: (?:are there|are planned|do (?:i|you|we) have|have you got|are set))?[\s.?!]*$/i,
      /^what(?:'s|’s| is) on my (?:schedule|agenda|calendar|plan)(?: (?:for )?(?:today|tomorrow|this week))?[\s.?!]*$/i,
      /^(?:do i have|are there|have i got) any (?:reminders?|alarms?|timers?|tasks|plans|appointments)(?: (?:set|planned|today|tomorrow))?[\s.?!]*$/i,
    ],
    next: (_words, done) => {
      const [listed] = done;
      return listed ? tell(listed, sayPlanned) : call("list_tasks", {});
    },
  },
  change("cancel", "Cancelling", "cancel_task", "cancel the plants", [
    // a word alone may be about anything; with the name of what is planned it is clear
    /^(?:cancel|delete|remove|drop|clear|turn off|stop)\s+(?<wanted>(?:(?:all|every|each|my|the|your|our|of)\s+)*(?:reminders?|alarms?|timers?|tasks?|schedules?|appointments?)\b(?![./-]\w).*)$/i,
    /^cancel\s+(?<wanted>\S.*)$/i,
    /^(?:stop|quit)\s+reminding\s+(?:me|us)\s+(?:to|about|of|that)\s+(?<wanted>\S.*)$/i,
    /^(?:delete|remove|drop|turn off|stop)\s+(?<wanted>(?:the|my)\s+\S.*\s(?:reminder|alarm|timer|task|schedule|appointment))[\s.!]*$/i,
  ]),
  change("pause", "Pausing", "pause_task", "pause the plants", [/^(?:pause|suspend|put on hold)\s+(?<wanted>\S.*)$/i]),
  change("resume", "Resuming", "resume_task", undefined, [/^(?:resume|unpause)\s+(?<wanted>\S.*)$/i]),
];

// "a ten-minute timer" is one for ten minutes
function lengthWords(length: string): string {
  return length.replace(/\b(\w{1,20})-(second|minute|hour)\b/gi, (_, amount: string, unit: string) => {
    if (/^half$/i.test(amount)) return `half ${/^hour$/i.test(unit) ? "an" : "a"} ${unit}`;
    return `${amount} ${unit}${/^(?:1|one|an?)$/i.test(amount) ? "" : "s"}`;
  });
}

// "an alarm for 6:30" is at a time, and "for 20 minutes" is in a while
function missingWord(time: string): string {
  if (/^(?:in|at|on|every|each|tomorrow|today|tonight|next|this)\b/i.test(time)) return "";
  if (/\b(?:seconds?|minutes?|mins?|hours?)$/i.test(time)) return "in ";
  return /^\d/.test(time) ? "at " : "";
}

const dayPart = /\b(?:[ap]\.?m\b|morning|noon|afternoon|evening|tonight|night|midnight|minutes?|hours?|seconds?)/i;
const clockOfHalfDay =
  /(?<![\d:.-])(?:0?[1-9]|1[01]|one|two|three|four|five|six|seven|eight|nine|ten|eleven)(?:[:.][0-5]\d)?(?: o['’]clock)?$/i;

// a reminder at six is for the evening; whoever wants to be woken at six sleeps until the morning
function wakingTime(time: string): string {
  return !dayPart.test(time) && clockOfHalfDay.test(time) ? `${time} in the morning` : time;
}

function plan(done: readonly Exchange[], wish: Record<string, string>): Step {
  const [planned] = done;
  return planned ? tell(planned, withoutId) : call("schedule_task", wish);
}

function change(
  verb: string,
  task: string,
  tool: string,
  example: string | undefined,
  patterns: readonly RegExp[],
): Intent {
  return {
    ...(example !== undefined && { example }),
    task,
    tools: [tool, "list_tasks"],
    patterns,
    next: ({ wanted = "" }, done) => changeStep({ verb, tool, wanted: bare(wanted) }, done),
  };
}

type Change = { verb: string; tool: string; wanted: string };

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

function changeStep({ verb, tool, wanted }: Change, done: readonly Exchange[]): Step {
  const changed = done.find((exchange) => exchange.tool === tool);
  if (changed) return tell(changed, withoutId);
  const number = numbered.exec(wanted)?.groups?.number;
  const isUnnamed = unnamed.test(wanted);
  if (number === undefined && !isUnnamed && !pronoun.test(wanted)) return call(tool, { id: nameIn(wanted) });
  const listed = done.find((exchange) => exchange.tool === "list_tasks");
  if (!listed) return call("list_tasks", {});
  if (listed.failed) return sayFailed(listed);
  const lines = linesOf(listed.output);
  const line = number === undefined ? lines[isUnnamed && lines.length === 1 ? 0 : -1] : lines[Number(number) - 1];
  return line ? call(tool, { id: line.id }) : say(whichWords(verb, lines, number, listed.output));
}

function nameIn(wanted: string): string {
  const name = wanted.replace(named, "").replace(new RegExp(`\\s+(?:${kinds})$`, "i"), "");
  return unquote(name) || wanted;
}

/** One at a time: what is taken back by a slip is gone for good. */
function whichWords(verb: string, lines: readonly Line[], number: string | undefined, output: string): string {
  if (lines.length === 0) return output;
  const why = number === undefined ? `I ${verb} one at a time.` : `There is no number ${number}.`;
  return `${why} Say “${verb} reminder 1”, or name it:\n${numberedLines(lines)}`;
}

function sayPlanned(output: string): string {
  const lines = linesOf(output);
  return lines.length === 0 ? output : `Planned:\n${numberedLines(lines)}`;
}

type Line = { id: string; words: string };

/** `<id>  <title> — <when>; next <time>; <state>`: people get a number in the place of the id. */
function linesOf(output: string): Line[] {
  return output.split("\n").flatMap((line) => {
    const [, id = "", words = ""] = /^(\S+) {2}(\S.*)$/.exec(line) ?? [];
    return id === "" ? [] : [{ id, words }];
  });
}

// what people need to name a task is its title or its number
function withoutId(output: string): string {
  return output.replace(/ \(t[a-z0-9]{10}\)(?=[.;]|$)/gm, "");
}

function numberedLines(lines: readonly Line[]): string {
  return lines.map(({ words }, index) => `${index + 1}. ${words}`).join("\n");
}

// the last point of "6 p.m." belongs to it
function bare(words: Words[string]): string {
  return unquote((words ?? "").trim().replace(/(?<![ap]\.m)[\s.!?]+$/i, ""));
}
