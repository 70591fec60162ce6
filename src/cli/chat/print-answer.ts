import type { CommandConsole } from "../../contract/room/command.ts";
import { printJson } from "../../contract/room/json-output.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { spellOut } from "../../contract/words/spell-out.ts";
import { printFailure } from "../print-failure.ts";
import type { AnswerReport } from "./report-answer.ts";

/** The answer goes to the output, everything else to the errors. The exit code is 0 when it was answered. */
export function printAnswer(console: CommandConsole, report: AnswerReport, asJson: boolean): number {
  const { failure, ...told } = report;
  if (asJson) printJson(console, told);
  else {
    if (report.answer !== "") console.output.write(`${report.answer}\n`);
    for (const note of report.notes) console.errors.write(`${note}\n`);
    for (const approval of report.approvals) tellWaiting(console, approval);
  }
  if (!failure) return 0;
  // what waits has been told whole just now
  if (asJson || failure.code !== "waiting") printFailure(console, failure, asJson);
  return 1;
}

export function tellWaiting({ errors }: CommandConsole, { display, approvalId }: OpenApproval): void {
  errors.write(`This waits for your approval:\n${spellOut(display)}\nAllow it with: steward approve ${approvalId}\n`);
}
