import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { spendingWords } from "../../contract/conversation/spending.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import { approvalsElsewhere, type ChatState, isWorking, modelOf, openApprovals } from "../chat/chat-state.ts";
import type { Palette } from "../palette.ts";

export type Moment = { atMs: number; frame: number; leaving: boolean; typing: boolean };

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Under the editor: model and conversation on the left, what they have used on the right. */
export function statusLine(state: ChatState, usualModel: string, width: number, paint: Palette): string {
  const elsewhere = approvalsElsewhere(state).length;
  const left = [
    modelOf(state) ?? usualModel,
    state.key,
    state.thinking && state.thinking !== "off" ? `thinking ${state.thinking}` : "",
    state.agent ? `agent ${state.agent}` : "",
    elsewhere > 0 ? `${elsewhere} waiting elsewhere` : "",
  ]
    .filter(Boolean)
    .join(" · ");
  const right = spendingWords(state.spending).join("  ");
  const room = width - 2 - visibleWidth(right) - (right === "" ? 0 : 2);
  if (room < 12) return paint.faint(truncateToWidth(` ${left}`, width, "…"));
  const shown = truncateToWidth(left, room, "…");
  const gap = " ".repeat(Math.max(0, width - 2 - visibleWidth(shown) - visibleWidth(right)));
  return paint.faint(` ${shown}${gap}${right}`);
}

/** Above the editor: what is going on, or what the person may do; always one line, so that nothing jumps. */
export function activityLine(state: ChatState, now: Moment, width: number, paint: Palette): string {
  const { turn } = state;
  const spinner = paint.accent(frames[now.frame % frames.length] ?? "");
  if (now.leaving) return line(paint.faint("Press Ctrl+C again to leave"));
  if (openApprovals(state).length > 0)
    return line(paint.warning("Waiting for your answer: y, n, or why not, and Enter"));
  if (turn?.stopping) return line(`${spinner} ${paint.faint("Stopping")}`);
  if (turn && isWorking(state)) {
    const seconds = Math.floor((now.atMs - turn.startedAtMs - turn.waitedMs) / 1000);
    const time = seconds < 1 ? "" : `${formatDuration(seconds * 1000)} · `;
    return line(`${spinner} ${paint.faint(`Working · ${time}Esc stops`)}`);
  }
  if (state.outgoing.length > 0) return line(`${spinner} ${paint.faint("Sending")}`);
  return line(now.typing ? "" : paint.faint("Enter sends · Shift+Enter new line · / commands"));

  function line(text: string): string {
    return truncateToWidth(` ${text}`, width, "…");
  }
}
