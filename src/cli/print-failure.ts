import { Failure } from "../contract/failure.ts";
import type { CommandConsole } from "../contract/room/command.ts";
import { CallRefused } from "../contract/wire/client.ts";
import { ConnectionLost } from "./chat/connection.ts";
import { failureWords } from "./failure-words.ts";

/** `code` is for programs, which rely on it; the message is for people. */
export type ToldFailure = { code: string; message: string };

export function toldFailure(error: unknown, home: string): ToldFailure {
  return { code: codeFor(error), message: failureWords(error, home) };
}

/** A sentence, or the same as JSON for whoever asked for that. */
export function printFailure({ errors }: Pick<CommandConsole, "errors">, failure: ToldFailure, asJson: boolean): void {
  errors.write(`${asJson ? JSON.stringify({ error: failure }) : failure.message}\n`);
}

/** Also when the arguments cannot be read otherwise. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? undefined : end).includes("--json");
}

function codeFor(error: unknown): string {
  if (error instanceof CallRefused) return error.code;
  if (error instanceof ConnectionLost) return "connection_lost";
  return error instanceof Failure ? "failed" : "internal";
}
