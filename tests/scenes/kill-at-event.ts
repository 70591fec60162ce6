// Loaded before the program: the process dies by SIGKILL right before or right after the commit that holds a certain event.
// KILL_AT=tool.sent:before:1 means the first commit with a tool.sent event, before it is on disk. With `hang` in the place of
// `before` it says so once that is on disk, and then does nothing for good, as a loop without end would. `note seen` in the place of
// the event is what a channel remembers under that name.
import { writeSync } from "node:fs";
import { StatementSync } from "node:sqlite";

const [type, moment, nth] = (process.env.KILL_AT ?? "").split(":");
let seen = 0;
let isDue = false;

const { all } = StatementSync.prototype;
StatementSync.prototype.all = function (this: StatementSync, ...values: unknown[]) {
  const run = () => (all as (...args: unknown[]) => unknown[]).apply(this, values);
  if (isEvent(this.sourceSQL, values) || isNote(this.sourceSQL, values)) {
    seen += 1;
    isDue ||= seen === Number(nth ?? 1);
  }
  return isDue && this.sourceSQL === "COMMIT" ? endAt(run) : run();
} as typeof all;

function isEvent(sql: string, values: readonly unknown[]): boolean {
  return sql.startsWith("INSERT INTO events") && values[2] === type;
}

// channel, name, value; a name may go on with the place it is about
function isNote(sql: string, values: readonly unknown[]): boolean {
  return sql.startsWith("INSERT INTO channel_notes") && `note ${String(values[1]).split(":")[0]}` === type;
}

function endAt(commit: () => unknown): never {
  if (moment !== "before") commit();
  writeSync(2, `${moment === "hang" ? "hangs" : "dies"} at ${type}\n`);
  if (moment !== "hang") process.kill(process.pid, "SIGKILL");
  for (;;);
}
