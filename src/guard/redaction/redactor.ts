// In: any text on its way out. Out: the same text without its secrets. Stands before tool results, messages, logs, audit.
import { openDisguisedPass } from "./disguised.ts";
import { openKnownValues } from "./known-values.ts";
import { openTextPass, type TextPass } from "./scan-text.ts";

export type Redactor = {
  redact(text: string): string;
  /** Pieces of any size give what the whole text gives; what is held back comes with `end`. */
  stream(): TextPass;
  /** Values to mask from now on, in streams already open too. */
  addKnown(values: readonly string[]): void;
};

/** `searches`: also what only looks like a secret is masked; without it, nothing but the known values. */
export function openRedactor(deps: { known: readonly string[]; searches?: boolean }): Redactor {
  const known = openKnownValues(deps.known);
  let spare: TextPass | undefined;
  return { redact, stream, addKnown: known.add };

  function redact(text: string): string {
    const pass = spare ?? stream();
    // one that fails in the middle of a text is not used again
    spare = undefined;
    const output = pass.write(text) + pass.end();
    spare = pass;
    return output;
  }

  function stream(): TextPass {
    const knownPass = known.open();
    const passes = (deps.searches ?? true) ? [openDisguisedPass(), openTextPass()] : [];
    return keepCharactersWhole(passes.reduce(oneAfterTheOther, knownPass));
  }
}

function oneAfterTheOther(first: TextPass, second: TextPass): TextPass {
  return {
    write: (piece) => second.write(first.write(piece)),
    end: () => second.write(first.end()) + second.end(),
  };
}

/** A piece never ends between the two halves of one character: written out by itself, each half would be lost. */
function keepCharactersWhole(pass: TextPass): TextPass {
  let half = "";
  return {
    write(piece) {
      const output = half + pass.write(piece);
      const last = output.charCodeAt(output.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? output.slice(-1) : "";
      return half === "" ? output : output.slice(0, -1);
    },
    end() {
      const output = half + pass.end();
      half = "";
      return output;
    },
  };
}

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
