// What is written about a box from outside of it: by bwrap, and by the keeper that stands between bwrap and Steward.
import { existsSync, readFileSync } from "node:fs";

/** Written by the keeper when Steward is gone and the box is ended for it. */
export const cutWord = "cut";
/** Written by the keeper when bwrap has ended, however it did. */
export const overWord = "over";

/** Empty where Steward was killed before there was one. */
export function readReport(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** The first process inside, by the host's number: bwrap's first line, written before anything runs inside. */
export function innerPidIn(report: string): number | undefined {
  return numberIn(/"child-pid": *(\d+)\b.*\n/, report);
}

/** bwrap reports an exit code only for a program that it has really started and seen end. */
export function exitCodeIn(report: string): number | undefined {
  return numberIn(/"exit-code": *(\d+)\b.*\n/, report);
}

/** Nothing is added to the report any more. */
export function isSettled(report: string): boolean {
  return exitCodeIn(report) !== undefined || new RegExp(`^(?:${cutWord}|${overWord})$`, "m").test(report);
}

function numberIn(pattern: RegExp, report: string): number | undefined {
  const digits = pattern.exec(report)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
