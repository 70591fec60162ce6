import { join } from "node:path";
import { Failure, reasonOf } from "../contract/failure.ts";
import { CallRefused } from "../contract/wire/client.ts";
import { ConnectionLost } from "./chat/connection.ts";
import { visibleText } from "./visible-text.ts";

/** What went wrong in a sentence, and what to do next; never a stack trace. */
export function failureWords(error: unknown, home: string): string {
  const message = visibleText(reasonOf(error)).trim();
  if (error instanceof Failure || error instanceof CallRefused) return message;
  if (error instanceof ConnectionLost) return `${message} Try again in a moment.`;
  return `Something went wrong inside Steward: ${message.replace(/\.$/, "")}. The log has the details: ${join(home, "logs")}.`;
}
