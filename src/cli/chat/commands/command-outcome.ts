import type { NoticeTone } from "../../../contract/conversation/conversation.ts";

export type Choice = { value: string; label: string; description: string; current: boolean };

export type CommandOutcome =
  | { kind: "done" }
  | { kind: "text"; tone: NoticeTone; text: string }
  /** A view that can, lets the person pick; the other lists the choices and how to name one. */
  | { kind: "choose"; title: string; command: string; choices: readonly Choice[] }
  | { kind: "quit" };

export function said(text: string, tone: NoticeTone = "quiet"): CommandOutcome {
  return { kind: "text", tone, text };
}
