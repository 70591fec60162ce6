import type { EventOf, TurnEnding } from "../../../../src/contract/event.ts";
import { formatDuration, formatTokens, formatUsd } from "../../../../src/contract/words/amounts.ts";
import type { Tone } from "../../app/app.ts";
import type { IconName } from "../../style/icons.ts";
import { toolName } from "../../tool-words.ts";
import { type ActivityLine, assistant } from "../activity-line.ts";

const endings: Readonly<Record<TurnEnding, { sentence: string; icon: IconName; tone: Tone }>> = {
  answered: { sentence: "was done", icon: "check", tone: "quiet" },
  stopped: { sentence: "stopped", icon: "stop", tone: "quiet" },
  step_limit: { sentence: "stopped at the step limit", icon: "warning", tone: "warning" },
  no_progress: { sentence: "stopped because it got no further", icon: "warning", tone: "warning" },
  unavailable: { sentence: "got no answer from a model", icon: "warning", tone: "error" },
  refused: { sentence: "got no answer: the model refused", icon: "warning", tone: "warning" },
  budget: { sentence: "stopped because the budget is spent", icon: "warning", tone: "warning" },
  failed: { sentence: "failed", icon: "warning", tone: "error" },
};

export function describeEnding(event: EventOf<"turn.finished">): ActivityLine {
  const detail = event.detail?.trim();
  return { who: assistant, ...endings[event.ending], ...(detail && { detail }) };
}

export function describeStep(event: EventOf<"step.finished">): ActivityLine {
  const { inputTokens, outputTokens } = event.usage;
  const tools = event.toolCalls.map((call) => toolName(call.tool));
  const detail = [
    ...(event.durationMs === undefined ? [] : [formatDuration(event.durationMs)]),
    ...(inputTokens + outputTokens > 0 ? [`${formatTokens(inputTokens + outputTokens)} tokens`] : []),
    ...(event.costUsd ? [formatUsd(event.costUsd)] : []),
  ].join(" · ");
  return {
    icon: "setup",
    who: modelName(event.model),
    sentence: tools.length === 0 ? stepEndings[event.finish] : `wanted to use ${tools.join(", ")}`,
    ...(detail !== "" && { detail }),
    tone: event.finish === "length" || event.finish === "refused" ? "warning" : "quiet",
  };
}

export function describeModelFailure({ model, attempt, message }: EventOf<"model.failed">): ActivityLine {
  const sentence = attempt > 1 ? `did not answer (try ${attempt})` : "did not answer";
  return { icon: "warning", who: modelName(model), sentence, detail: message, tone: "warning" };
}

const stepEndings: Readonly<Record<EventOf<"step.finished">["finish"], string>> = {
  stop: "wrote an answer",
  tool_calls: "wanted a tool",
  length: "wrote until its limit and was cut off",
  refused: "would not answer",
  stopped: "was stopped while writing",
};

/** `anthropic/claude-sonnet-4-5` → `claude-sonnet-4-5` */
export function modelName(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}
