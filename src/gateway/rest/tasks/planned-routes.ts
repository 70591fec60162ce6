// What can be done by plain HTTP with a task that is planned: by the same methods as every other client.
import { z } from "zod";
import { defineRoute, type Route } from "../../../contract/room/route.ts";
import { PlannedTask, TaskRun } from "../../../contract/wire/methods/tasks.ts";
import type { RestDeps } from "../rest-deps.ts";
import { TaskId } from "./task.ts";

const One = z.object({ task: PlannedTask });

export function plannedRoutes(deps: RestDeps): readonly Route[] {
  return [
    changing("pause", "Holds a planned task: nothing begins until it is resumed.", One),
    changing("resume", "Goes on with a paused task; times that passed meanwhile are not made up for.", One),
    changing(
      "run",
      "Begins a run of a planned task now, beside its times.",
      z.object({ task: PlannedTask, run: z.string() }),
    ),
    defineRoute({
      method: "GET",
      path: "/api/tasks/:id/runs",
      summary: "The runs of a planned task, newest first; each is a task of its own by its id.",
      scopes: ["read"],
      params: TaskId,
      query: z.strictObject({ limit: z.coerce.number().int().min(1).max(500).default(50) }),
      responses: { 200: { description: "Runs.", schema: z.object({ task: PlannedTask, runs: z.array(TaskRun) }) } },
      refusals: [400, 401, 403, 404],
      answer: async ({ caller, path, query }) => ({
        status: 200,
        body: await deps.gateway.call(caller, "tasks.history", { id: path.id, limit: query.limit }),
      }),
    }),
  ];

  function changing(verb: "pause" | "resume" | "run", summary: string, schema: z.ZodType): Route {
    return defineRoute({
      method: "POST",
      path: `/api/tasks/:id/${verb}`,
      summary,
      scopes: [],
      params: TaskId,
      responses: { 200: { description: "The task as it stands now.", schema } },
      refusals: [401, 403, 404, 409],
      answer: async ({ caller, path }) => ({
        status: 200,
        body: await deps.gateway.call(caller, `tasks.${verb}`, { id: path.id }),
      }),
    });
  }
}
