import type { AgentBackend } from "./agent-backend.ts";
import { runSegment } from "./run-segment.ts";
import type { TurnDeps } from "./turn-deps.ts";

/** Tools may come and go between segments: commands are there only while the sandbox holds. */
export type LoopDeps = Omit<TurnDeps, "tools"> & { tools(): Promise<TurnDeps["tools"]> };

/** Steward's own loop: model, tools, model, with a checkpoint after each step. */
export function agentLoop(deps: LoopDeps): AgentBackend {
  return {
    name: "steward",
    runSegment: async (segment) => runSegment({ ...deps, tools: await deps.tools() }, segment),
  };
}
