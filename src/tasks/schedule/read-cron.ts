// A cron expression of five fields, read strictly: what cannot be read is named, and never guessed.

export type Cron = {
  minutes: readonly number[];
  hours: readonly number[];
  months: readonly number[];
  day: DayField;
  weekday: WeekdayField;
};

/** `any`: the field is a bare star. `nearest`: the working day nearest to it. `lastWorking`: the month's last. */
export type DayField = {
  any: boolean;
  days: readonly number[];
  nearest: readonly number[];
  last: boolean;
  lastWorking: boolean;
};

/** Sunday is 0. `nth`: the first to fifth of its kind in the month. `last`: the last of its kind. */
export type WeekdayField = {
  any: boolean;
  weekdays: readonly number[];
  nth: readonly { weekday: number; nth: number }[];
  last: readonly number[];
};

export type CronRead = { ok: true; cron: Cron } | { ok: false; problem: string };

type FieldName = "minute" | "hour" | "day" | "month" | "weekday";
type Range = { from: number; to: number; names: readonly string[] };

const ranges: Record<FieldName, Range> = {
  minute: { from: 0, to: 59, names: [] },
  hour: { from: 0, to: 23, names: [] },
  day: { from: 1, to: 31, names: [] },
  month: {
    from: 1,
    to: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  // 7 is Sunday too, so that 5-7 reaches to the end of the week
  weekday: { from: 0, to: 7, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
};
const order = ["minute", "hour", "day", "month", "weekday"] as const;

const nicknames: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** `@daily` and the like as five fields; anything else as it is. */
export function spellNickname(expression: string): string {
  return nicknames[expression.trim().toLowerCase()] ?? expression;
}

export function readCron(expression: string): CronRead {
  const fields = spellNickname(expression).trim().toLowerCase().split(/\s+/);
  if (fields.length !== 5) return { ok: false, problem: fieldCountProblem(expression, fields) };
  const read: Partial<Record<FieldName, ReadField>> = {};
  for (const [at, name] of order.entries()) {
    const field = readField(name, fields[at] ?? "");
    if (typeof field === "string") return { ok: false, problem: field };
    read[name] = field;
  }
  const { minute, hour, day, month, weekday } = read as Record<FieldName, ReadField>;
  return {
    ok: true,
    cron: {
      minutes: minute.values,
      hours: hour.values,
      months: month.values,
      day: { any: day.any, days: day.values, nearest: day.nearest, last: day.last, lastWorking: day.lastWorking },
      weekday: {
        any: weekday.any,
        weekdays: sorted(weekday.values.map((value) => value % 7)),
        nth: weekday.nth,
        last: sorted(weekday.lastOf),
      },
    },
  };
}

function fieldCountProblem(expression: string, fields: string[]): string {
  if (expression.trim().startsWith("@")) {
    return `There is no ${shown(expression)}. Write @hourly, @daily, @weekly, @monthly or @yearly, or five fields such as 0 9 * * 1-5.`;
  }
  if (fields.length === 6 || fields.length === 7) {
    const shorter = fields.slice(1, 6).join(" ");
    return `A cron expression with ${fields.length} fields counts seconds and could fire every second; Steward takes five: minute, hour, day, month, weekday. Leave the first field out: ${shown(shorter)}.`;
  }
  return `${shown(expression)} is not a cron expression: it has ${fields.length === 1 ? "one field" : `${fields.length} fields`}, not five (minute, hour, day, month, weekday). Write for example 0 9 * * 1-5.`;
}

type ReadField = {
  any: boolean;
  values: number[];
  nearest: number[];
  last: boolean;
  lastWorking: boolean;
  nth: { weekday: number; nth: number }[];
  lastOf: number[];
};

function readField(name: FieldName, text: string): ReadField | string {
  const any = text === "*" || (text === "?" && (name === "day" || name === "weekday"));
  const field: ReadField = { any, values: [], nearest: [], last: false, lastWorking: false, nth: [], lastOf: [] };
  for (const item of any ? ["*"] : text.split(",")) {
    if (name === "day" && readDayItem(field, item)) continue;
    if (name === "weekday" && readWeekdayItem(field, item)) continue;
    const values = readItem(ranges[name], item);
    if (typeof values === "string") return `The ${name} of a cron expression cannot be ${shown(text)}: ${values}`;
    field.values.push(...values);
  }
  field.values = sorted(field.values);
  return field;
}

function readDayItem(field: ReadField, item: string): boolean {
  const nearest = /^(\d{1,2})w$/.exec(item);
  if (item === "l") field.last = true;
  else if (item === "lw") field.lastWorking = true;
  else if (nearest && inRange(ranges.day, Number(nearest[1]))) field.nearest.push(Number(nearest[1]));
  else return false;
  return true;
}

function readWeekdayItem(field: ReadField, item: string): boolean {
  const [, day = "", nth] = /^([a-z]{3}|[0-7])(?:#([1-5])|l)$/.exec(item) ?? [];
  const weekday = readValue(ranges.weekday, day);
  if (weekday === undefined) return false;
  if (nth === undefined) field.lastOf.push(weekday % 7);
  else field.nth.push({ weekday: weekday % 7, nth: Number(nth) });
  return true;
}

// the values, or what is wrong with them
function readItem(range: Range, item: string): number[] | string {
  const [, first = "", second, step] = /^(\*|\w{1,3})(?:-(\w{1,3}))?(?:\/(\w{1,3}))?$/.exec(item) ?? [];
  const span = readSpan(range, first, second);
  if (!span) return `write numbers from ${range.from} to ${range.to}, such as ${range.from} or 3-5 or */2.`;
  const [from, upTo] = span;
  if (upTo < from) return `it runs backwards; write it as two, such as ${from}-${lastOf(range)},${range.from}-${upTo}.`;
  if (step === undefined) return run(from, upTo, 1);
  if (from === upTo) return `for every so many from ${from} on, write ${from}-${lastOf(range)}/${step}.`;
  const most = lastOf(range) - range.from + 1;
  const by = /^\d{1,2}$/.test(step) ? Number(step) : 0;
  return by >= 1 && by <= most ? run(from, upTo, by) : `the step after the slash is a number from 1 to ${most}.`;
}

function readSpan(range: Range, first: string, second: string | undefined): [from: number, upTo: number] | undefined {
  if (first === "*") return second === undefined ? [range.from, lastOf(range)] : undefined;
  const from = readValue(range, first);
  // to Sunday means to the end of the week
  const upTo = second === undefined ? from : second === "sun" && range.to === 7 ? 7 : readValue(range, second);
  return from === undefined || upTo === undefined ? undefined : [from, upTo];
}

function readValue(range: Range, text: string): number | undefined {
  const named = range.names.indexOf(text);
  if (named >= 0) return named + range.from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : undefined;
  return value !== undefined && inRange(range, value) ? value : undefined;
}

function inRange(range: Range, value: number): boolean {
  return value >= range.from && value <= range.to;
}

// a star in the weekday stands for 0 to 6, so that Sunday is not counted twice
function lastOf(range: Range): number {
  return range.to === 7 ? 6 : range.to;
}

function run(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return `"${line.length > 60 ? `${line.slice(0, 60)}…` : line}"`;
}
