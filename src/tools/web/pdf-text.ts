import { programPath } from "../programs/trusted-program.ts";
import { runLimited } from "./run-limited.ts";

export type PdfText = { kind: "text"; bytes: Uint8Array; isCut: boolean } | { kind: "failed"; why: string };

/** Where a program of that name is that only root can have put there. */
export type FindProgram = (name: string) => string | undefined;

const timeoutMs = 20_000;
const maxOutputBytes = 4 * 1024 * 1024;
const memoryBytes = 1024 ** 3;

/** Text of a PDF by the system's pdftotext, which is held to time and memory like any program that reads strange files. */
export async function pdfText(
  bytes: Uint8Array,
  signal: AbortSignal,
  findProgram: FindProgram = programPath,
): Promise<PdfText> {
  const pdftotext = findProgram("pdftotext");
  if (!pdftotext)
    return {
      kind: "failed",
      why: "reading PDF needs the program pdftotext. The owner can install it (Debian: apt install poppler-utils)",
    };
  const words = [pdftotext, "-enc", "UTF-8", "-nopgbrk", "-q", "-", "-"];
  const [program = pdftotext, ...args] = [...limitWords(findProgram), ...words];
  const end = await runLimited({ program, args, input: bytes, timeoutMs, maxOutputBytes, signal });
  if (end.kind === "done") return { kind: "text", bytes: end.output, isCut: end.isCut };
  return { kind: "failed", why: `pdftotext could not read it: ${end.detail.split("\n")[0]}` };
}

// no files, no children, no endless work; where prlimit is missing the clock and the output limit still hold
function limitWords(findProgram: FindProgram): readonly string[] {
  const prlimit = findProgram("prlimit");
  if (!prlimit) return [];
  const seconds = Math.ceil(timeoutMs / 1000);
  return [prlimit, `--as=${memoryBytes}`, `--cpu=${seconds}`, "--fsize=0", "--core=0", "--"];
}
