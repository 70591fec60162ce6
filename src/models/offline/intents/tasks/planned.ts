import { call, type Intent, type Scene, type Step, say } from "../../intent.ts";
import { sayFailed } from "../../wording.ts";
import { type Line, linesOf, numberedLines, titleOf } from "./task-lines.ts";

type Choice = { from: string; keep(lines: readonly Line[], scene: Scene): readonly Line[]; none: string };

const ending = "[\\s.?!]*$";
const list = "(?:reminders?|alarms?|timers?|tasks?|appointments?)";
const something = "(?:my |the |an? )?";

export const planned: readonly Intent[] = [
  listing("what is on today?", dayPatterns("today"), {
    ...{ from: "Today", none: "Nothing is planned for today." },
    keep: (lines, scene) => lines.filter((line) => isOn(line, scene, 0)),
  }),
  listing(undefined, dayPatterns("tomorrow"), {
    ...{ from: "Tomorrow", none: "Nothing is planned for tomorrow." },
    keep: (lines, scene) => lines.filter((line) => isOn(line, scene, 1)),
  }),
  listing(
    undefined,
    [
      new RegExp(`^what(?:'s|’s| is| are| have i)(?: (?:all|still|currently))? paused${ending}`, "i"),
      new RegExp(`^(?:list|show(?: me)?|which)(?: (?:all|my|the))* paused ${list}${ending}`, "i"),
      new RegExp(`^which ${list} are paused${ending}`, "i"),
    ],
    {
      from: "Paused",
      none: "Nothing is paused.",
      keep: (lines) => lines.filter(({ words }) => /; paused$/.test(words)),
    },
  ),
  listing(
    undefined,
    [
      new RegExp(`^(?:when|what)(?:'s|’s| is) (?:my |the )?next (?:one|${list})${ending}`, "i"),
      new RegExp(`^what(?:'s|’s| is| comes) (?:up )?next${ending}`, "i"),
    ],
    { from: "Next", none: "Nothing is to come.", keep: (lines, scene) => nextLine(lines, scene) },
  ),
  {
    task: "Telling what is planned",
    tools: ["list_tasks"],
    patterns: [
      new RegExp(
        `^how (?:much (?:time|longer)|many minutes|long)(?: (?:is|are|does|until))?(?: (?:left|remaining|go))?(?: (?:on|for|of|until|till))? ?${something}[\\w ]{0,40}timers?(?: (?:have|has))?(?: (?:left|end|ends|is up|go|rings?))*${ending}`,
        "i",
      ),
      new RegExp(
        `^(?:when (?:does|is|will) ${something}[\\w ]{0,40}timer(?: be)? (?:end|done|up|over|ring|finished?|go off)|time left)${ending}`,
        "i",
      ),
    ],
    next: (_words, done, scene) => {
      const [listed] = done;
      if (!listed) return call("list_tasks", {});
      return listed.failed ? sayFailed(listed) : sayTimers(linesOf(listed.output), scene);
    },
  },
  listing("what is planned?", [
    /^what(?:'s|’s| is| are)(?: (?:all|still|currently|already))? (?:planned|scheduled|coming up)(?: (?:for )?(?:me|us|now|this week|next|later))*[\s.?!]*$/i,
    /^what (?:do|have|did) (?:you|i|we) (?:have |got )?(?:planned|scheduled|coming up)(?: (?:for )?(?:me|us|now|this week|next|later))*[\s.?!]*$/i,
    /^(?:(?:what|which)(?: (?:are|is|about))?|list|show(?: me)?|tell me|give me)(?: (?:all|of|my|the|your|our|open|planned))* (?:reminders?|alarms?|timers?|tasks|schedules?|plans|appointments)(?: (?:are there|are planned|do (?:i|you|we) have|have you got|are set))?[\s.?!]*$/i,
    /^what(?:'s|’s| is) on my (?:schedule|agenda|calendar|plan|list)(?: (?:for )?this week)?[\s.?!]*$/i,
    /^(?:do i have|are there|have i got) any (?:reminders?|alarms?|timers?|tasks|plans|appointments)(?: (?:set|planned))?[\s.?!]*$/i,
  ]),
];

function dayPatterns(day: string): RegExp[] {
  return [
    new RegExp(
      `^what(?:'s|’s| is| are)(?: (?:all|still))? (?:on|up|planned|scheduled|coming up|due)(?: my (?:schedule|agenda|calendar|plan|list))?(?: for)?(?: me)? ${day}${ending}`,
      "i",
    ),
    new RegExp(
      `^what (?:do|have) (?:you|i|we) (?:have |got )?(?:(?:on|planned|scheduled|coming up|to do) )?(?:for )?${day}${ending}`,
      "i",
    ),
    new RegExp(
      `^(?:do i have|are there|have i got) any(?:thing| ${list}| plans)(?: (?:on|planned|set))?(?: for)? ${day}${ending}`,
      "i",
    ),
  ];
}

function listing(example: string | undefined, patterns: readonly RegExp[], choice?: Choice): Intent {
  return {
    ...(example !== undefined && { example }),
    ...{ task: "Telling what is planned", tools: ["list_tasks"], patterns },
    next: (_words, [listed], scene) => {
      if (!listed) return call("list_tasks", {});
      if (listed.failed) return sayFailed(listed);
      return sayPlanned(listed.output, scene, choice);
    },
  };
}

function sayPlanned(output: string, scene: Scene, choice: Choice | undefined): Step {
  const lines = linesOf(output);
  if (lines.length === 0) return say(output);
  const kept = choice ? choice.keep(lines, scene) : lines;
  return say(kept.length === 0 ? (choice?.none ?? output) : `${choice?.from ?? "Planned"}:\n${numberedLines(kept)}`);
}

function sayTimers(lines: readonly Line[], scene: Scene): Step {
  const timers = lines.filter((line) => /^timer\b/i.test(titleOf(line)));
  if (timers.length === 0) return say("No timer is running.");
  const left = timers.map((line) => {
    const minutes = Math.round(((wallOf(line, scene) ?? 0) - wallNow(scene)) / 60_000);
    const words = minutes < 1 ? "less than a minute" : minutes === 1 ? "about a minute" : `about ${minutes} minutes`;
    return { ...line, words: `${line.words} (${words} left)` };
  });
  return say(numberedLines(left));
}

const dayMs = 86_400_000;
const monthStarts = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const moment = /(?:; next | — )\w{3} (\d{1,2}) (\w{3,4}) (\d\d):(\d\d)(?: (\d{4}))?(?=;|$)/;

/** When it comes next by the clock on the wall, counted as if it were UTC. */
function wallOf({ words }: Line, scene: Scene): number | undefined {
  const [, day, month = "", hour, minute, year] = moment.exec(words) ?? [];
  const at = monthStarts.indexOf(month.slice(0, 3).toLowerCase());
  if (at < 0) return undefined;
  return Date.UTC(
    Number(year ?? new Date(wallNow(scene)).getUTCFullYear()),
    at,
    Number(day),
    Number(hour),
    Number(minute),
  );
}

function wallNow({ nowMs, timeZone }: Scene): number {
  const shown = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(nowMs);
  return Date.parse(`${shown.replace(" ", "T")}Z`);
}

/** What comes often is also on days after its next one, as far as its words tell. */
function isOn(line: Line, scene: Scene, daysAhead: number): boolean {
  const today = Math.floor(wallNow(scene) / dayMs);
  const next = wallOf(line, scene);
  if (next === undefined) return false;
  const ahead = Math.floor(next / dayMs) - today;
  if (ahead >= daysAhead) return ahead === daysAhead;
  const weekday = new Date((today + daysAhead) * dayMs).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const days = / — every (?:weekday|[\w, ]*day)\b[^;]*?(?= at |;|$)/.exec(line.words)?.[0] ?? "";
  const isWorking = !/^S/.test(weekday);
  if (/ — every (?:\d+ )?(?:minutes?|hours?)\b| — every day at/.test(line.words)) return true;
  return /every weekday/.test(days) ? isWorking : days.includes(weekday);
}

function nextLine(lines: readonly Line[], scene: Scene): readonly Line[] {
  const times = lines.flatMap((line) => {
    const at = wallOf(line, scene);
    return at === undefined || /; paused$/.test(line.words) ? [] : [{ line, at }];
  });
  return times
    .sort((one, other) => one.at - other.at)
    .slice(0, 1)
    .map(({ line }) => line);
}
