// A secret is never an argument, where it would stay in the shell's history: it is typed unseen, or piped in.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { Failure } from "../../contract/failure.ts";
import type { CommandConsole } from "../../contract/room/command.ts";

const longest = 1_000;

export async function readHidden(console: CommandConsole, question: string): Promise<string> {
  const typed = console.input.isTTY ? await ask(console, question) : await readAll(console);
  const value = typed.trim();
  if (value === "") throw new Failure("Nothing came in. Type the value when asked, or pipe it in.");
  if (value.length > longest || /\s/.test(value))
    throw new Failure(`That is no token: it has spaces or lines in it, or more than ${longest} characters.`);
  return value;
}

function ask({ input, errors }: CommandConsole, question: string): Promise<string> {
  errors.write(question);
  // readline echoes to its output, which therefore goes nowhere
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.on("SIGINT", () => {
      reject(new Failure("Stopped. Nothing was kept."));
      lines.close();
    });
    lines.on("close", () => {
      errors.write("\n");
      resolve("");
    });
  });
}

async function readAll({ input, hasInput = true }: CommandConsole): Promise<string> {
  let text = "";
  if (hasInput)
    for await (const chunk of input) {
      text += String(chunk);
      if (text.length > 10 * longest) break;
    }
  return text;
}
