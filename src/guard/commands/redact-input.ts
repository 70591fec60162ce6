import { readFile } from "node:fs/promises";
import { Failure } from "../../contract/failure.ts";
import type { CommandConsole } from "../../contract/room/command.ts";
import { openRedactor, redactStream } from "../redaction/redactor.ts";

/** Filters the input; what comes out holds no secret that the rules or the given file know. */
export async function redactInput(knownFile: string | undefined, console: CommandConsole): Promise<number> {
  const known = knownFile === undefined ? [] : await readKnown(knownFile);
  await redactStream(openRedactor({ known }), console.input, (text) => write(console.output, text));
  return 0;
}

async function readKnown(path: string): Promise<readonly string[]> {
  try {
    return (await readFile(path, "utf8")).split(/\r?\n/).filter((line) => line !== "");
  } catch (cause) {
    throw new Failure(`The file of known secrets ${path} cannot be read. Name a file with one secret a line.`, {
      cause,
    });
  }
}

function write(output: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => output.write(text, (failed) => (failed ? reject(failed) : resolve())));
}
