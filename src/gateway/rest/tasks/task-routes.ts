import { z } from "zod";
import { defineRoute, type Route, refuse } from "../../../contract/room/route.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import { isBlank, listTaskMessages } from "../../../store/tables/task-queries.ts";
import { readIdempotencyKey } from "../own-conversation.ts";
import type { RestDeps } from "../rest-deps.ts";
import { createTask, NewTask } from "./create-task.ts";
import { readTask, requireTaskMessage, Task, TaskState } from "./task.ts";

export const TaskId = z.strictObject({ id: z.string().min(1).max(100) });

const TaskQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  state: TaskState.optional(),
});
const idempotencyKey = {
  name: "Idempotency-Key",
  description: "The same key is the same task: it is begun once, also when the request is repeated after a restart.",
};
// a filter that nothing fits looks this far back and no further
const lookBackTasks = 2_000;

export function taskRoutes(deps: RestDeps): readonly Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/tasks",
      summary: "Begins a task: one message, handled in a conversation with all tools, rules and approvals.",
      scopes: ["task"],
      body: NewTask,
      responses: { 202: { description: "It is on disk and will be done.", schema: Task } },
      refusals: [400, 401, 403, 404, 409, 413, 415, 429],
      documented: { requestHeaders: [idempotencyKey] },
      async answer({ caller, body, headers }) {
        const created = await createTask(deps, caller, body, readIdempotencyKey(headers["idempotency-key"]));
        if ("full" in created) return refuse(429, "too_many", created.full, { "retry-after": "5" });
        const task = await readTask(deps.database, created);
        return { status: 202, body: task, headers: { location: `/api/tasks/${task.id}` } };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/tasks",
      summary: "The tasks there are, newest first. A state is looked for among the newest 2,000.",
      scopes: ["read", "task"],
      query: TaskQuery,
      responses: { 200: { description: "Tasks.", schema: z.object({ tasks: z.array(Task) }) } },
      refusals: [400, 401, 403],
      answer: async ({ caller, query }) => ({ status: 200, body: { tasks: await listTasks(deps, caller, query) } }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/tasks/:id",
      summary: "How a task stands, what it was answered and what it has cost.",
      scopes: ["read", "task"],
      params: TaskId,
      responses: { 200: { description: "The task.", schema: Task } },
      refusals: [401, 403, 404],
      async answer({ caller, path }) {
        const message = await requireTaskMessage(deps.database, caller, path.id);
        return { status: 200, body: await readTask(deps.database, message) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/tasks/:id/cancel",
      summary: "Stops a task. One that is over stays as it is.",
      scopes: ["task"],
      params: TaskId,
      responses: {
        200: {
          description: "`ok`: something was stopped by this request. The task as it stands now.",
          schema: z.object({ ok: z.boolean(), task: Task }),
        },
      },
      refusals: [401, 403, 404, 409],
      async answer({ caller, path }) {
        const message = await requireTaskMessage(deps.database, caller, path.id);
        const before = await readTask(deps.database, message);
        if (before.finishedAtMs !== undefined) return { status: 200, body: { ok: false, task: before } };
        // stopping by name would stop the turn that this one waits for
        if (before.state === "queued")
          return refuse(409, "conflict", "This task waits for another one. It can be stopped as soon as it has begun.");
        const params = { runId: message.messageId, sessionKey: message.conversation };
        const { ok } = z.object({ ok: z.boolean() }).parse(await deps.gateway.call(caller, "chat.abort", params));
        return { status: 200, body: { ok, task: await readTask(deps.database, message) } };
      },
    }),
  ];
}

async function listTasks(deps: RestDeps, caller: Caller, query: z.output<typeof TaskQuery>): Promise<readonly Task[]> {
  const { limit, state } = query;
  const found: Task[] = [];
  const conversation = caller.scope === "task" ? (caller.conversation ?? "") : undefined;
  let beforeSeq = Number.MAX_SAFE_INTEGER;
  for (let looked = 0; looked < lookBackTasks; ) {
    const page = await listTaskMessages(deps.database, { beforeSeq, limit: 100, conversation });
    for (const message of page) {
      beforeSeq = message.seq;
      if (isBlank(message)) continue;
      const task = await readTask(deps.database, message);
      if (state === undefined || task.state === state) found.push(task);
      if (found.length === limit) return found;
    }
    if (page.length === 0) return found;
    looked += page.length;
  }
  return found;
}
