import { z } from "zod";
import { defineRoute, type Route, refuse } from "../../contract/room/route.ts";
import { findOpenQuestions, openQuestions } from "../../store/tables/task-queries.ts";
import { Question, questionOf } from "./question.ts";
import type { RestDeps } from "./rest-deps.ts";

const Decision = z
  .strictObject({
    decision: z.enum(["approved", "denied"]),
    reason: z.string().max(2000).optional(),
    /** The exact same call is not asked about again. */
    always: z.boolean().optional(),
  })
  .refine(({ decision, always }) => !(always && decision === "denied"), {
    path: ["always"],
    error: "always goes with approved only",
  });

export function approvalRoutes(deps: RestDeps): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/approvals",
      summary: "Everything that waits for a person, oldest first.",
      scopes: ["read", "approve"],
      responses: {
        200: { description: "Open questions.", schema: z.object({ approvals: z.array(Question) }) },
      },
      refusals: [401, 403],
      answer: async () => ({
        status: 200,
        body: { approvals: (await openQuestions(deps.database)).map(questionOf) },
      }),
    }),
    defineRoute({
      method: "POST",
      path: "/api/approvals/:callId",
      summary: "Approves or denies a call that waits; named by its callId, or by the approvalId.",
      scopes: ["approve"],
      params: z.strictObject({ callId: z.string().min(1).max(200) }),
      body: Decision,
      responses: {
        200: {
          description: "The answer is on disk, and the task goes on.",
          schema: z.object({ ok: z.literal(true), approvalId: z.string(), decision: z.enum(["approved", "denied"]) }),
        },
      },
      refusals: [400, 401, 403, 404, 409, 415],
      async answer({ caller, path, body }) {
        const open = await findOpenQuestions(deps.database, path.callId);
        if (open.length > 1)
          return refuse(409, "conflict", "Several open questions have this callId. Answer by the approvalId.");
        // whether it is still open is decided when the answer is written
        const approvalId = open[0]?.approvalId ?? path.callId;
        const { decision, reason, always } = body;
        if (decision === "approved") await deps.gateway.call(caller, "exec.approve", { approvalId, always });
        else await deps.gateway.call(caller, "exec.deny", { approvalId, reason });
        return { status: 200, body: { ok: true, approvalId, decision } };
      },
    }),
  ];
}
