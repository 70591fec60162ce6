// A channel in plain words: how it stands, when it was last heard from, who may talk there.
import type { ShownChannel } from "../../../src/contract/wire/methods/channels.ts";
import { count, formatDuration } from "../../../src/contract/words/amounts.ts";
import { formatTime } from "../tasks/time-words.ts";
import { formatDateTime } from "../words.ts";

export type Standing = {
  tone: "off" | "good" | "warning" | "danger" | "busy";
  text: string;
  /** What the program has to say about it, such as what to do. */
  detail: string | undefined;
};

const dayMs = 86_400_000;

export function standingOf(channel: ShownChannel, nowMs: number): Standing {
  const detail = sentence(channel.detail);
  switch (channel.state) {
    case "off":
      return { tone: "off", text: "Off", detail: undefined };
    case "incomplete":
      // the steps below say how a token is given, and the program's words are for a terminal too
      return { tone: "warning", text: lackWords(channel), detail: isLacking(channel) ? undefined : detail };
    case "stopped":
      return { tone: "off", text: "Not running", detail };
    case "connecting":
      return { tone: "busy", text: "Connecting…", detail: undefined };
    case "connected":
      return { tone: "good", text: connectedWords(channel, nowMs), detail: undefined };
    case "lost":
      return {
        tone: "warning",
        text: `No answer${sinceWords(channel.lastProofMs, nowMs)}; trying again`,
        detail: [detail, meanwhileWords(channel)].filter(Boolean).join(" "),
      };
    case "refused":
      return { tone: "danger", text: "Does not let Steward in", detail };
    default:
      return channel.state satisfies never;
  }
}

/** Whether it is switched on and has all that it needs, however it stands right now. */
export function isRunning({ state }: Pick<ShownChannel, "state">): boolean {
  return state !== "off" && state !== "incomplete" && state !== "stopped";
}

/** "last heard from 12 s ago" */
export function heardWords(lastProofMs: number | undefined, nowMs: number): string | undefined {
  if (lastProofMs === undefined) return undefined;
  const ageMs = nowMs - lastProofMs;
  return ageMs < 1_000 ? "last heard from just now" : `last heard from ${formatDuration(wholeSeconds(ageMs))} ago`;
}

export function waitingWords(waiting: number): string {
  return waiting === 1 ? "1 answer waits to be delivered" : `${count(waiting, "answer")} wait to be delivered`;
}

function isLacking({ secrets }: ShownChannel): boolean {
  return secrets.some(({ found }) => !found);
}

function lackWords({ secrets, name }: ShownChannel): string {
  const missing = secrets.filter(({ found }) => !found).length;
  if (missing === 0) return "Not quite set up";
  if (name === "email") return "Needs a password";
  return missing === 1 ? "Needs a token" : `Needs ${missing} tokens`;
}

// a channel may say "@my_bot", "as @my_bot" or a whole sentence
function connectedWords({ detail, lastProofMs }: ShownChannel, nowMs: number): string {
  const said = detail.trim().replace(/\.$/, "");
  const rest = said.replace(/^connected\b[\s:,]*/i, "").trim();
  const heard = heardWords(lastProofMs, nowMs);
  return [...whomWords(rest), ...(heard === undefined ? [] : [heard])].join(" · ");
}

function whomWords(rest: string): string[] {
  if (rest === "") return ["Connected"];
  if (/^(as|to|with|by|for|on) /i.test(rest)) return [`Connected ${rest}`];
  return /\s/.test(rest) ? ["Connected", rest] : [`Connected as ${rest}`];
}

function sinceWords(lastProofMs: number | undefined, nowMs: number): string {
  if (lastProofMs === undefined) return "";
  return nowMs - lastProofMs < dayMs ? ` since ${formatTime(lastProofMs)}` : ` since ${formatDateTime(lastProofMs)}`;
}

function meanwhileWords({ receives, name }: ShownChannel): string {
  if (!receives) return "";
  return name === "email"
    ? "Mails that come meanwhile are read once it is back."
    : "What you write there meanwhile is answered once it is back.";
}

function wholeSeconds(ms: number): number {
  // a tenth of a second in a figure that grows under one's eyes is only unrest
  return Math.round(ms / 1_000) * 1_000;
}

function sentence(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}
