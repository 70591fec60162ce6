import { readFile } from "node:fs/promises";
import type { ExtraCommand } from "../../contract/extra-command.ts";
import { Failure } from "../../contract/failure.ts";

/** Filters the input; what comes out holds no secret that the rules or the given file know. */
export const guardRedact: ExtraCommand = {
  name: "guard redact",
  groupSummary: "Try the guard's rules without running anything",
  summary: "Mask secrets in the input",
  options: [{ flags: "--known <file>", description: "further secrets, one a line" }],
  async run(_args, options, console) {
    const { redactStream } = await import("../redaction/redact-stream.ts");
    const { openRedactor } = await import("../redaction/redactor.ts");
    const known = typeof options.known === "string" ? await readKnown(options.known) : [];
    await redactStream(openRedactor({ known }), console.input, (text) => write(console.output, text));
    return 0;
  },
};

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
