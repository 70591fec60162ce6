// Loaded before the program: the process dies by SIGKILL right before or right after the commit that holds a certain event.
// KILL_AT=tool.sent:before:1 means the first commit with a tool.sent event, before it is on disk.
import { DatabaseSync, StatementSync } from "node:sqlite";

const [type, moment, nth] = (process.env.KILL_AT ?? "").split(":");
let seen = 0;
let isDue = false;

const { all } = StatementSync.prototype;
StatementSync.prototype.all = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL.startsWith("INSERT INTO events") && values[2] === type) {
    seen += 1;
    isDue ||= seen === Number(nth ?? 1);
  }
  return (all as (...args: unknown[]) => unknown[]).apply(this, values);
} as typeof all;

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  if (sql !== "COMMIT" || !isDue) return exec.call(this, sql);
  if (moment === "after") exec.call(this, sql);
  process.kill(process.pid, "SIGKILL");
};
