// A line that was sent off in the composer: does what it means.
import type { Conversation } from "../../../src/contract/conversation/conversation.ts";
import type { App } from "../app/app.ts";
import { asMessage, readTypedLine } from "./composer/typed-line.ts";
import type { Upload } from "./outbox/upload.ts";

export type LineDeps = {
  app(): App;
  conversation(): Conversation;
  send(text: string, uploads: readonly Upload[]): void;
  /** Puts the line back where it was written. */
  giveBack(text: string, uploads: readonly Upload[]): void;
  answer(answer: "approve" | "deny"): void;
  showHelp(): void;
  stop(): void;
};

const leaveUnanswered = {
  title: "Leave the question unanswered?",
  text: "Steward waits for your yes or no. If you send this, the question is withdrawn, nothing of it is done, and Steward reads your message instead.",
  yes: "Send it",
};

export async function takeLine(deps: LineDeps, typed: string, uploads: readonly Upload[]): Promise<void> {
  const { items } = deps.conversation();
  const waiting = items.filter((item) => item.kind === "approval" && item.decision === undefined).length;
  const line = uploads.length > 0 ? asMessage(typed, waiting) : readTypedLine(typed, waiting);
  switch (line.kind) {
    case "message":
      return deps.send(line.text, uploads);
    case "instead":
      if (await deps.app().confirm(leaveUnanswered)) return deps.send(line.text, uploads);
      return deps.giveBack(typed, uploads);
    case "approve":
    case "deny":
      return deps.answer(line.kind);
    case "help":
      return deps.showHelp();
    case "new":
      return deps.app().go("/chat");
    case "stop":
      return deps.stop();
    case "elsewhere":
      return void deps.app().say(line.words);
    default:
      return line satisfies never;
  }
}
