// What is told of a turn under way: the words as far as they have come, else the step and the tool.
import type { EventOf } from "../../contract/event.ts";
import type { LiveSignal } from "../../contract/wire/live-signal.ts";

export type Draft = ReturnType<typeof openDraft>;

// what does not fit into one message would have to be cut anew with every word
const mostShown = 1_500;

export function openDraft() {
  let text = "";
  let textStep = -1;
  let steps = 0;
  let tools: string[] = [];
  return {
    isBusy: false,
    shownWords: "",
    addLive(signal: LiveSignal): void {
      if (signal.type === "live.text_reset") text = "";
      if (signal.type === "live.tool_call") tools = [...tools, signal.call.tool];
      if (signal.type !== "live.text") return;
      if (signal.step !== textStep) text = "";
      textStep = signal.step;
      if (text.length < mostShown) text += signal.delta;
    },
    finishStep({ step }: EventOf<"step.finished">): void {
      steps = step + 1;
      tools = [];
    },
    beginTool(tool: string): void {
      tools = [...tools.filter((name) => name !== tool), tool];
    },
    length: () => text.length,
    words(elapsedMs: number): string {
      const seconds = Math.floor(elapsedMs / 5_000) * 5;
      const doing = tools.length > 0 ? tools.join(", ") : "thinking";
      const progress = `⏳ Step ${steps + 1}: ${doing}${seconds >= 5 ? ` (${seconds} s)` : ""}`;
      if (text.trim() === "") return progress;
      const shown = text.length >= mostShown ? `${text.slice(0, mostShown).toWellFormed()} …` : `${text} …`;
      return tools.length > 0 ? `${shown}\n\n${progress}` : shown;
    },
  };
}
