import type { Button } from "../../contract/channel/outgoing-message.ts";

/** What a button of Steward's stands for; it travels through the platform and back. */
export type Press = { kind: "yes" | "no"; approvalId: string } | { kind: "stop"; turn: string };

export function questionButtons(approvalId: string): readonly (readonly Button[])[] {
  return [
    [
      { label: "Approve", press: `yes:${approvalId}`, tone: "yes" },
      { label: "Deny", press: `no:${approvalId}`, tone: "no" },
    ],
  ];
}

export function stopButton(turn: string): readonly (readonly Button[])[] {
  return [[{ label: "Stop", press: `stop:${turn}`, tone: "plain" }]];
}

export function readPress(press: string): Press | undefined {
  const match = /^(yes|no|stop):([A-Za-z0-9_-]{1,56})$/.exec(press);
  const [, kind, id] = match ?? [];
  if (id === undefined) return undefined;
  return kind === "stop" ? { kind, turn: id } : { kind: kind === "yes" ? "yes" : "no", approvalId: id };
}
