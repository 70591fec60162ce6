import { join } from "node:path";
import { Failure } from "../../contract/failure.ts";
import type { Command, CommandConsole } from "../../contract/room/command.ts";
import type { LogLevel } from "./daily-log.ts";
import type { WrittenLine } from "./log-line.ts";

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];
const mostLines = 100_000;

export const logsCommand: Command = {
  name: "logs",
  summary: "Show what the program's own log says",
  description: "Show the end of the program's own log. Steward need not run for it.",
  notes: "With --json, each line as it stands in the file. More is written with: steward daemon --debug",
  options: [
    { form: "-n, --lines <count>", description: "how many lines (50)" },
    { form: "--level <level>", description: "what is at least as bad", choices: levels },
    { form: "-f, --follow", description: "go on with new lines until Ctrl+C" },
    { form: "--json", description: "print the lines as they are" },
  ],
  async run({ flags, values }, { home, console }) {
    const { lastLines } = await import("./log-tail.ts");
    const { readLogLine } = await import("./log-line.ts");
    const { logWords } = await import("./log-words.ts");
    const folder = join(home, "logs");
    const level = levels.find((one) => one === values.level) ?? "debug";
    const print = (line: WrittenLine) =>
      console.output.write(flags.has("json") ? `${line.text}\n` : `${logWords(line, console.colors)}\n`);
    // held before the end is read: what is written between the two comes twice rather than not at all
    const following = flags.has("follow") ? await follow(folder, console) : undefined;
    const lines = await lastLines(folder, { lines: countOf(values.lines), level });
    for (const line of lines) print(line);
    const kind = values.level === undefined ? "" : ` at level ${level} or above`;
    if (lines.length === 0) console.errors.write(`There is nothing${kind} in the log yet: ${folder}\n`);
    const shown = new Set(lines.map(({ text }) => text));
    for await (const text of following ?? []) {
      const line = shown.delete(text) ? undefined : readLogLine(text, level);
      if (line) print(line);
    }
    return 0;
  },
};

async function follow(folder: string, console: CommandConsole) {
  const { followLog } = await import("./log-follow.ts");
  const ended = new AbortController();
  console.onInterrupt(() => ended.abort());
  return followLog({ folder, signal: ended.signal });
}

function countOf(text = "50"): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostLines) return count;
  throw new Failure(`--lines takes a whole number from 1 to ${mostLines}, not ${JSON.stringify(text)}.`);
}
