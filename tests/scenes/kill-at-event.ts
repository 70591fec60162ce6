// Loaded before the program: the process dies by SIGKILL right before or right after the commit that holds a certain event.
// KILL_AT=tool.sent:before:1 means the first commit with a tool.sent event, before it is on disk.
import { StatementSync } from "node:sqlite";

const [type, moment, nth] = (process.env.KILL_AT ?? "").split(":");
let seen = 0;
let isDue = false;

const { all } = StatementSync.prototype;
StatementSync.prototype.all = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL.startsWith("INSERT INTO events") && values[2] === type) {
    seen += 1;
    isDue ||= seen === Number(nth ?? 1);
  }
  const dies = this.sourceSQL === "COMMIT" && isDue;
  if (dies && moment === "before") process.kill(process.pid, "SIGKILL");
  const rows = (all as (...args: unknown[]) => unknown[]).apply(this, values);
  if (dies) process.kill(process.pid, "SIGKILL");
  return rows;
} as typeof all;
