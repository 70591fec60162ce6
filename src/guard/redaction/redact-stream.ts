import type { Redactor } from "./redactor.ts";

/** Redacts bytes as they come; a letter may be cut between two chunks. */
export async function redactStream(
  redactor: Redactor,
  input: AsyncIterable<Uint8Array>,
  output: (text: string) => Promise<void>,
): Promise<void> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const pass = redactor.stream();
  for await (const chunk of input) await put(pass.write(decoder.decode(chunk, { stream: true })));
  await put(pass.write(decoder.decode()) + pass.end());

  async function put(text: string): Promise<void> {
    if (text !== "") await output(text);
  }
}
