import type { Readable } from "node:stream";
import { Failure } from "../../contract/failure.ts";
import type { CommandConsole } from "../../contract/room/command.ts";
import type { MethodInput } from "../../contract/wire/method.ts";

export type Question = {
  text: string;
  attachments: NonNullable<MethodInput<"chat.send">["attachments"]>;
  /** What the person should know of how it was read. */
  notes: readonly string[];
};

const maxInputBytes = 1_000_000;
// long enough for a program that must look something up first; an input that nobody will ever write to is not waited for
const usualWaitMs = 3000;

/**
 * The words of the command line, with what is piped in attached as a file: whoever pipes a page or a log has mostly not
 * written it, and a file counts as that. Without words, or with `-` as the last one, the input is awaited however long it takes.
 */
export async function readQuestion(
  console: CommandConsole,
  words: readonly string[],
  waitMs = usualWaitMs,
): Promise<Question> {
  const isInputNamed = words.at(-1) === "-";
  const text = (isInputNamed ? words.slice(0, -1) : words).join(" ").trim();
  const mayBePiped = console.input.isTTY !== true && console.hasInput !== false;
  if (!isInputNamed && !mayBePiped) return { text, attachments: [], notes: [] };
  const bytes = await readInput(console.input, isInputNamed || text === "" ? undefined : waitMs);
  if (bytes === undefined) return { text, attachments: [], notes: [waitedInVain(waitMs)] };
  const input = readText(bytes);
  if (input.trim() === "") return { text, attachments: [], notes: [] };
  if (text === "") return { text: input.trim(), attachments: [], notes: [] };
  const attached = { name: "input.txt", mediaType: "text/plain", base64: bytes.toString("base64") };
  return { text, attachments: [attached], notes: [] };
}

/** Undefined when nothing came in, and no end either, in the time given. */
async function readInput(input: Readable, waitMs: number | undefined): Promise<Buffer | undefined> {
  const pieces: AsyncIterator<Buffer | string> = input[Symbol.asyncIterator]();
  const next = pieces.next();
  if (waitMs !== undefined && !(await settlesWithin(next, waitMs))) {
    // what was awaited ends with the input, and says nothing any more
    next.catch(() => undefined);
    input.destroy();
    return undefined;
  }
  const read: Buffer[] = [];
  let size = 0;
  for (let piece = await next; !piece.done; piece = await pieces.next()) {
    const bytes = Buffer.from(piece.value);
    size += bytes.length;
    if (size > maxInputBytes) {
      input.destroy();
      throw new Failure(
        "The input is larger than 1 MB, which is more than can be asked at once. Save it in the workspace and ask about the file.",
      );
    }
    read.push(bytes);
  }
  return Buffer.concat(read);
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const waited = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => waited.resolve(false), ms);
  const settled = promise.then(() => true);
  return Promise.race([settled, waited.promise]).finally(() => clearTimeout(timer));
}

function readText(bytes: Buffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // said below for both kinds of bytes that are no text
  }
  throw new Failure("The input is not text. Save it in the workspace and ask about the file.");
}

function waitedInVain(waitMs: number): string {
  return `Nothing came in on the input for ${waitMs / 1000} s, so the question goes without it. To wait for a slow program, end the command with a dash: steward ask "…" -`;
}
