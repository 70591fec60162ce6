import { errorCode } from "../paths/refusal.ts";
import type { KeptOutput, OutputStore } from "./output-store.ts";

/** Keeps the beginning and the end of a long output, and says between them how to read what is missing. */
export async function cutLongOutput(outputs: OutputStore, output: KeptOutput, maxLength: number): Promise<string> {
  const { text } = output;
  if (text.length <= maxLength) return text;
  const head = text.slice(0, Math.floor(maxLength * 0.7)).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - Math.floor(maxLength * 0.3)).replace(/^[\udc00-\udfff]/, "");
  const left = text.length - head.length - tail.length;
  const handle = await keepIfPossible(outputs, output);
  const advice = handle
    ? `read_output with handle ${handle} and offset ${head.length} shows them`
    : "they could not be kept";
  return `${head}\n… [${left} characters left out; ${advice}] …\n${tail}`;
}

async function keepIfPossible(outputs: OutputStore, output: KeptOutput): Promise<string | undefined> {
  try {
    return await outputs.keep(output);
  } catch (cause) {
    // a full or read-only disk must not cost the part that can be shown
    if (errorCode(cause) !== undefined) return undefined;
    throw cause;
  }
}
