import { orRefusal } from "../paths/refusal.ts";
import type { KeptOutput, OutputStore } from "./output-store.ts";

/** Keeps the beginning and the end of a long output, and says between them how to read what is missing. */
export async function cutLongOutput(
  outputs: Pick<OutputStore, "keep">,
  output: KeptOutput,
  maxLength: number,
): Promise<string> {
  if (output.text.length <= maxLength) return output.text;
  // a full or read-only disk must not cost the part that can be shown
  const kept = await orRefusal("It was not kept", () => outputs.keep(output));
  return cutMiddle(output.text, maxLength, (offset) =>
    typeof kept === "string"
      ? `; read_output with handle ${kept} and offset ${offset} shows them`
      : "; they could not be kept",
  );
}

/** The advice is told where the gap begins. */
export function cutMiddle(text: string, maxLength: number, advice = (_offset: number) => ""): string {
  if (text.length <= maxLength) return text;
  // a character of two halves is not torn apart
  const head = text.slice(0, Math.floor(maxLength * 0.7)).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - Math.floor(maxLength * 0.3)).replace(/^[\udc00-\udfff]/, "");
  const left = text.length - head.length - tail.length;
  return `${head}\n… [${left} characters left out${advice(head.length)}] …\n${tail}`;
}
