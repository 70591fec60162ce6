import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  AuditHead,
  auditFiles,
  beforeTheFirstLine,
  digestOf,
  goesWith,
  type ReadAuditLine,
  readAuditLine,
} from "./audit-log.ts";

export type AuditVerdict = { lines: number; problems: readonly string[] };

type Line = ReadAuditLine & { file: string; number: number };

/** Finds every edited, removed, swapped or cut line; the head in the database shows when the end is missing. */
export async function verifyAudit(folder: string, headText: string): Promise<AuditVerdict> {
  const problems: string[] = [];
  const lines: Line[] = [];
  for (const file of await auditFiles(folder)) lines.push(...(await readLines(folder, file, problems)));
  const inOrder = lines.toSorted((a, b) => a.seq - b.seq);
  const vouchedFor = blankLinesVouchedFor(lines, problems);
  let previous = beforeTheFirstLine.hash;
  for (const line of inOrder) {
    const where = `${line.file} line ${line.number}`;
    if (line.blank && !vouchedFor.has(line))
      problems.push(
        `${where} has lost its words, and no later line says why; a deletion that was cut off goes on at the next start`,
      );
    if (!line.blank && line.hash !== line.computed) problems.push(`${where} was changed`);
    if (line.previous !== previous)
      problems.push(`${where} does not follow the line before it: something was removed, added or moved`);
    previous = line.hash;
  }
  checkOrderInFiles(lines, problems);
  const head = headText === "" ? beforeTheFirstLine : AuditHead.parse(JSON.parse(headText));
  const atHead = inOrder.find((line) => line.seq === head.seq);
  if (head.seq > 0 && atHead?.hash !== head.hash)
    problems.push(`the end is missing or was changed: the database remembers line ${head.seq}`);
  return { lines: lines.length, problems };
}

async function readLines(folder: string, file: string, problems: string[]): Promise<readonly Line[]> {
  const texts = (await readFile(join(folder, file), "utf8")).split("\n");
  if (texts.pop() !== "") problems.push(`${file} ends in the middle of a line`);
  return texts.flatMap((text, index) => {
    const line = readAuditLine(text);
    if (!line) {
      problems.push(`${file} line ${index + 1} is not an audit line`);
      return [];
    }
    return [{ ...line, file, number: index + 1 }];
  });
}

/** Each deletion has written down what it left behind. */
function blankLinesVouchedFor(lines: readonly Line[], problems: string[]): ReadonlySet<Line> {
  const vouchedFor = new Set<Line>();
  for (const { forgotten, hash, computed } of lines) {
    if (!forgotten || hash !== computed) continue;
    const isGone = goesWith(forgotten);
    const left = lines.filter((line) => line.blank && isGone(line));
    if (digestOf(left.map((line) => line.text)) === forgotten.digest) for (const line of left) vouchedFor.add(line);
    else problems.push(`what was left of the deleted conversation ${forgotten.key} was changed`);
  }
  return vouchedFor;
}

// sorting by number would hide two lines that changed places, so the order in each file counts too
function checkOrderInFiles(lines: readonly Line[], problems: string[]): void {
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    if (before?.file === line.file && before.seq >= line.seq)
      problems.push(`${line.file} line ${line.number} stands in the wrong place`);
  }
}
