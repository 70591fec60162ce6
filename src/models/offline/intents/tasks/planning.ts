import { call, type Exchange, type Intent, type Scene, type Step, say, type Words } from "../../intent.ts";
import { askAlarm, askBoth, askLength, askWhen, questions } from "../../questions.ts";
import { tell } from "../../wording.ts";
import { bare } from "./bare.ts";
import { withoutId } from "./task-lines.ts";
import { readTimer, timerLength } from "./timer-words.ts";

// the tool finds the time in a sentence by itself; what stands here only knows where the sentence begins
const leadingWord = /^(?:to|about|of|that)\s+/i;
const questionWord = /^(?:what|who|whom|whose|when|where|why|how|which|if|whether)\b/i;
const repeats = new Map([
  ["hourly", "every hour"],
  ["daily", "every day"],
  ["weekly", "every week"],
  ["monthly", "every month"],
]);

export const planning: readonly Intent[] = [
  {
    task: "Snoozing",
    tools: ["schedule_task"],
    patterns: [
      /^snooze(?:\s+(?:it|that|this|again))?(?:\s+(?<when>\S.*?))?[\s.!]*$/i,
      /^remind\s+(?:me|us)\s+(?:of\s+(?:it|that)\s+)?(?:again|later)(?:\s+(?<when>(?:in|at|for|until|till|tomorrow|tonight)\b(?!.*\bto\b).*?))?[\s.!]*$/i,
    ],
    next: ({ when }, done, scene) => snooze(when, done, scene),
  },
  {
    task: "Reminding you",
    tools: ["schedule_task"],
    example: "remind me tomorrow at six to call mum",
    patterns: [
      /^(?:remind|notify|ping|nudge|alert)\s+(?:me|us)\b[\s,:]*(?<sentence>.*)$/is,
      /^(?:set|create|add|make|schedule)\s+(?:me\s+)?(?:a|an|another|the)\s+(?:(?<often>\w+)\s+)?reminder\b[\s,:]*(?:for\s+)?(?<sentence>.*)$/is,
      /^reminder\s*[:,–-]\s*(?<sentence>.*)$/is,
      /^reminder\s+(?:for|to)\s+(?<sentence>\S.*)$/is,
      /^schedule\s+(?<sentence>\S.*)$/is,
    ],
    next: ({ sentence, often = "" }, done) => {
      const words = bare(sentence).replace(leadingWord, "").trim();
      // "remind me what I said" asks, and plans nothing
      if (questionWord.test(words)) return undefined;
      if (words === "") return say(askBoth);
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
      /^(?:set|start|create|make)\s+(?:me\s+)?(?:a|an|another|the)\s+(?<length>\S.{0,100}?)\s+timer(?:\s+(?:for|of)\s+(?<more>\S.*?))?[\s.!?]*$/i,
      /^timer[\s:]+(?:for\s+)?(?<length>\S.*)$/i,
      new RegExp(
        `^(?<purpose>(?!.{0,60}\\b(?:please|set|start|create|make|put|cancel|stop|pause|delete)\\b)\\p{L}[\\p{L} -]{0,40}?)\\s+timer[\\s:,]+(?:for\\s+|of\\s+)?(?<length>${timerLength})[\\s.!]*$`,
        "iu",
      ),
    ],
    next: ({ length, more, purpose }, done) => {
      const wanted = more === undefined ? bare(length) : `${bare(length)} for ${bare(more)}`;
      if (wanted === "") return say(askLength);
      const timer = readTimer(wanted);
      const words = [purpose ?? timer.purpose, timer.length];
      const name = words[0] === undefined ? timer.length : `${words[0]} (${timer.length})`;
      return plan(done, { remind: `Time is up: ${name}.`, when: `in ${timer.length}`, title: `Timer: ${name}` });
    },
  },
  {
    task: "Setting an alarm",
    tools: ["schedule_task"],
    example: "wake me at 7",
    patterns: [
      /^(?:set|create|make|add)\s+(?:me\s+)?(?:a|an|another|the|my)\s+alarm(?:\s+clock)?(?:\s+(?:for\s+|to\s+)?(?<when>\S.*)|[\s.!?]*)$/i,
      /^wake\s+(?:me|us)(?:\s+up)?(?:\s+(?<when>\S.*)|[\s.!?]*)$/i,
      /^(?:an?\s+)?alarm[\s:]+(?:for\s+)?(?<when>(?:at|in|on|every|each|tomorrow|today|tonight|next|noon|midnight|\d)\S*(?:\s.*)?)$/i,
    ],
    next: ({ when }, done) => {
      const time = bare(when);
      if (time === "") return say(askAlarm);
      return plan(done, {
        remind: "Time to wake up.",
        when: wakingTime(`${missingWord(time)}${time}`),
        title: "Alarm",
      });
    },
  },
];

// "an alarm for 6:30" is at a time, and "for 20 minutes" is in a while
function missingWord(time: string): string {
  if (/^(?:in|at|on|every|each|tomorrow|today|tonight|next|this)\b/i.test(time)) return "";
  if (/\b(?:seconds?|minutes?|mins?|hours?)$/i.test(time)) return "in ";
  return /^\d/.test(time) ? "at " : "";
}

const dayPart =
  /\b(?:[ap]\.?m\b|morning|noon|afternoon|evening|tonight|night|midnight|minutes?|mins?|hours?|seconds?)/i;
const halfDayHour =
  "(?:0?[1-9]|1[01]|one|two|three|four|five|six|seven|eight|nine|ten|eleven)(?:[:.][0-5]\\d)?(?: o['’]clock)?";
const clockOfHalfDay = new RegExp(`(?<![\\d:.-])${halfDayHour}$|\\bat ${halfDayHour}(?![\\d:.])\\b`, "i");

// a reminder at six is for the evening; whoever wants to be woken at six sleeps until the morning
function wakingTime(time: string): string {
  return !dayPart.test(time) && clockOfHalfDay.test(time) ? `${time} in the morning` : time;
}

const usualSnooze = "in 10 minutes";

/** The last words that a task has said here come again. */
function snooze(wanted: Words[string], done: readonly Exchange[], { earlier }: Scene): Step {
  const last = earlier.findLast((said) => said.by === "task");
  if (last?.by !== "task") return say("There is nothing to snooze: no reminder has come in this conversation yet.");
  const text = last.text.replace(/\n\(Late: .*\)$/s, "");
  return plan(done, { remind: text, when: snoozeTime(bare(wanted)), title: last.title });
}

function snoozeTime(wanted: string): string {
  if (wanted === "") return usualSnooze;
  const length = wanted.replace(/^(?:for|by|in)\s+/i, "");
  if (/^\d{1,3}$/.test(length)) return `in ${length} minutes`;
  const until = /^(?:until|till|to)\s+(.*)$/i.exec(length)?.[1];
  if (until !== undefined) return /^\d/.test(until) ? `at ${until}` : until;
  return new RegExp(`^${timerLength}$`, "i").test(length) ? `in ${length}` : length;
}

function plan(done: readonly Exchange[], wish: Record<string, string>): Step {
  const [planned] = done;
  return planned ? sayPlan(planned) : call("schedule_task", wish);
}

/** What is still missing is asked for, and is no failure. */
export function sayPlan(planned: Exchange): Step {
  if (!planned.failed) return tell(planned, withoutId);
  if (/^I find no time in that\b/.test(planned.output)) return say(askWhen);
  const isQuestion = Object.values(questions).some((question) => question.test(planned.output));
  return isQuestion ? say(planned.output) : tell(planned, withoutId);
}
