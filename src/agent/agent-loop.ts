import type { AgentBackend } from "./agent-backend.ts";
import { runSegment } from "./run-segment.ts";
import type { TurnDeps } from "./turn-deps.ts";

/** Steward's own loop: model, tools, model, with a checkpoint after each step. */
export function agentLoop(deps: TurnDeps): AgentBackend {
  return { name: "steward", runSegment: (segment) => runSegment(deps, segment) };
}
