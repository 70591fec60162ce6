import { z } from "zod";
import { defineRoute, type Route, type RouteAnswer, refuse } from "../../../contract/room/route.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import { TaskState as PlannedState, PlannedTask } from "../../../contract/wire/methods/tasks.ts";
import { isBlank, listTaskMessages } from "../../../store/tables/task-queries.ts";
import { readIdempotencyKey } from "../own-conversation.ts";
import type { RestDeps } from "../rest-deps.ts";
import { createTask } from "./create-task.ts";
import { isPlan, NewTask } from "./new-task.ts";
import { MadeTask, planTask } from "./plan-task.ts";
import { findPlanned, listPlanned } from "./planned-task.ts";
import { readTask, requireTaskMessage, Task, TaskId, TaskState } from "./task.ts";

const TaskQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** once: begun by one message. planned: at times, or when something happens. */
  kind: z.enum(["once", "planned", "all"]).default("once"),
  state: z.enum([...TaskState.options, ...PlannedState.options]).optional(),
});
type TaskQuery = z.output<typeof TaskQuery>;

const AnyTask = z.union([Task, PlannedTask]);
const idempotencyKey = {
  name: "Idempotency-Key",
  description: "The same key is the same task: it is begun once, also when the request is repeated after a restart.",
};
// a filter that nothing fits looks this far back and no further
const lookBackTasks = 2_000;

export function taskRoutes(deps: RestDeps): readonly Route[] {
  return [createRoute(deps), ...readRoutes(deps), cancelRoute(deps)];
}

function createRoute(deps: RestDeps): Route {
  return defineRoute({
    method: "POST",
    path: "/api/tasks",
    summary:
      "Begins a task: one message, handled in a conversation with all tools, rules and approvals. With `when` or `trigger` it is planned: done at its times, or when something happens, in a conversation of its own.",
    scopes: ["task"],
    body: NewTask,
    responses: {
      201: {
        description: "It is planned. A webhook's path and secret are told here and never again.",
        schema: MadeTask,
      },
      202: { description: "It is on disk and will be done.", schema: Task },
    },
    refusals: [400, 401, 403, 404, 409, 413, 415, 429],
    documented: { requestHeaders: [idempotencyKey] },
    async answer({ caller, body, headers }) {
      const key = readIdempotencyKey(headers["idempotency-key"]);
      if (isPlan(body)) return begun(201, await planTask(deps, caller, body, key));
      const created = await createTask(deps, caller, body, key);
      if ("full" in created) return refuse(429, "too_many", created.full, { "retry-after": "5" });
      return begun(202, await readTask(deps.database, created));
    },
  });
}

function begun(status: number, task: { id: string }): RouteAnswer {
  return { status, body: task, headers: { location: `/api/tasks/${task.id}` } };
}

function readRoutes(deps: RestDeps): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/tasks",
      summary:
        "The tasks there are: those begun by one message, newest first (a state is looked for among the newest 2,000); with `kind`, those that are planned, next due first, or all of them.",
      scopes: ["read", "task"],
      query: TaskQuery,
      responses: { 200: { description: "Tasks.", schema: z.object({ tasks: z.array(AnyTask) }) } },
      refusals: [400, 401, 403],
      answer: async ({ caller, query }) => ({ status: 200, body: { tasks: await listTasks(deps, caller, query) } }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/tasks/:id",
      summary: "How a task stands, what it was answered and what it has cost; of a planned one, when it runs next.",
      scopes: ["read", "task"],
      params: TaskId,
      responses: { 200: { description: "The task.", schema: AnyTask } },
      refusals: [401, 403, 404],
      async answer({ caller, path }) {
        const planned = await findPlanned(deps, caller, path.id);
        if (planned) return { status: 200, body: planned };
        const message = await requireTaskMessage(deps.database, caller, path.id);
        return { status: 200, body: await readTask(deps.database, message) };
      },
    }),
  ];
}

function cancelRoute(deps: RestDeps): Route {
  return defineRoute({
    method: "POST",
    path: "/api/tasks/:id/cancel",
    summary:
      "Stops a task, or takes it back if it has not begun. A planned one ends for good, with the run under way. One that is over stays as it is.",
    scopes: ["task"],
    params: TaskId,
    responses: {
      200: {
        description: "`ok`: something was stopped by this request. The task as it stands now.",
        schema: z.object({ ok: z.boolean(), task: AnyTask }),
      },
    },
    refusals: [401, 403, 404],
    async answer({ caller, path }) {
      if (await findPlanned(deps, caller, path.id)) {
        const ok = await call(caller, "tasks.cancel", { id: path.id });
        return { status: 200, body: { ok, task: await findPlanned(deps, caller, path.id) } };
      }
      const message = await requireTaskMessage(deps.database, caller, path.id);
      const before = await readTask(deps.database, message);
      if (before.finishedAtMs !== undefined) return { status: 200, body: { ok: false, task: before } };
      const ok = await call(caller, "chat.abort", { runId: message.messageId, sessionKey: message.conversation });
      return { status: 200, body: { ok, task: await readTask(deps.database, message) } };
    },
  });

  async function call(caller: Caller, method: string, params: object): Promise<boolean> {
    return z.object({ ok: z.boolean() }).parse(await deps.gateway.call(caller, method, params)).ok;
  }
}

async function listTasks(
  deps: RestDeps,
  caller: Caller,
  query: TaskQuery,
): Promise<readonly z.infer<typeof AnyTask>[]> {
  const { limit, kind, state } = query;
  const planned = kind === "once" ? [] : await listPlanned(deps, caller, { limit, state });
  const once = kind === "planned" ? [] : await listOnce(deps, caller, { limit: limit - planned.length, state });
  return [...planned, ...once];
}

async function listOnce(
  deps: RestDeps,
  caller: Caller,
  { limit, state }: Pick<TaskQuery, "limit" | "state">,
): Promise<readonly Task[]> {
  if (limit === 0) return [];
  const found: Task[] = [];
  const conversation = caller.scope === "task" ? (caller.conversation ?? "") : undefined;
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let looked = 0; looked < lookBackTasks; ) {
    const page = await listTaskMessages(deps.database, { beforeSeq, limit: 100, conversation });
    for (const message of page) {
      beforeSeq = message.seq;
      // a run stands with its task
      if (isBlank(message) || (message.type === "message.received" && message.run)) continue;
      const task = await readTask(deps.database, message);
      if (state === undefined || task.state === state) found.push(task);
      if (found.length === limit) return found;
    }
    if (page.length === 0) return found;
    looked += page.length;
  }
  return found;
}
