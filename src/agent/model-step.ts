// One request to the model: streamed to whoever watches, and at its end one event that says what came of it.
import type { EventOf, NewEvent } from "../contract/event.ts";
import { type FailedAttempt, type ModelCall, type ModelRequest, noUsage, type Unavailable } from "../contract/model.ts";
import type { AgentProfile, TurnDeps } from "./turn-deps.ts";

export type StepRequest = Omit<ModelRequest, "system" | "tools"> & {
  turn: string;
  conversation: string;
  step: number;
  profile: AgentProfile;
};

type StepFinished = Extract<NewEvent, { type: "step.finished" }>;

export type StepResult =
  | { kind: "finished"; event: StepFinished }
  | { kind: "stopped"; event: StepFinished }
  | { kind: "unavailable"; failure: Unavailable };

export async function runModelStep(deps: TurnDeps, request: StepRequest): Promise<StepResult> {
  const { turn, conversation, step, profile, ...asked } = request;
  const at = { turn, conversation };
  const startedMs = deps.world.nowMs();
  const tools = deps.tools.map((tool) => tool.declaration);
  let text = "";
  // what is shown while it comes is masked like what is kept
  let masked = deps.redactor.stream();
  const maskedReasoning = deps.redactor.stream();
  const show = (delta: string) => {
    if (delta !== "") deps.live({ type: "live.text", ...at, step, delta });
  };
  for await (const event of deps.models.stream({ ...asked, system: profile.system, tools })) {
    switch (event.type) {
      case "text":
        text += event.delta;
        show(masked.write(event.delta));
        break;
      case "reasoning": {
        const delta = maskedReasoning.write(event.delta);
        if (delta !== "") deps.live({ type: "live.reasoning", ...at, step, delta });
        break;
      }
      case "tool_call":
        deps.live({ type: "live.tool_call", ...at, step, call: event.call });
        break;
      case "text_reset":
        text = "";
        masked = deps.redactor.stream();
        deps.live({ type: "live.text_reset", ...at, step });
        break;
      case "failed":
        await deps.log.append([modelFailed(event)]);
        break;
      case "retry":
        deps.live({ ...event, type: "live.retry", ...at });
        break;
      case "final": {
        show(masked.end());
        const { type: _, ...answer } = event;
        return { kind: "finished", event: stepFinished({ ...answer, toolCalls: [...event.toolCalls] }) };
      }
      case "unavailable":
        if (event.kind !== "aborted") return { kind: "unavailable", failure: event };
        return { kind: "stopped", event: stepFinished(cutOff(request, text, event.spent)) };
      default:
        event satisfies never;
    }
  }
  return {
    kind: "unavailable",
    failure: { type: "unavailable", kind: "network", message: "The model ended without an answer. Try again." },
  };

  // a server may repeat in its complaint what it was told
  function modelFailed({ model, attempt, kind, reason, message }: FailedAttempt): NewEvent {
    const { redact } = deps.redactor;
    const words = { reason: redact(reason), message: redact(message) };
    return { type: "model.failed", ...at, step, model, attempt, kind, ...words };
  }

  function stepFinished(
    answer: Omit<EventOf<"step.finished">, "type" | "seq" | "atMs" | "turn" | "conversation" | "step" | "durationMs">,
  ): StepFinished {
    return {
      type: "step.finished",
      ...at,
      step,
      durationMs: deps.world.nowMs() - startedMs,
      ...answer,
      text: deps.redactor.redact(answer.text),
    };
  }
}

function cutOff({ models }: StepRequest, text: string, spent?: ModelCall) {
  const { model, usage, costUsd } = spent ?? { model: models[0] ?? "", usage: noUsage };
  return { model, text, toolCalls: [], finish: "stopped" as const, usage, costUsd };
}
