// OpenAI's addresses: any program that speaks its language gets Steward itself, with tools, guard and memory.
import { z } from "zod";
import { defineRoute, type Route, type RouteAnswer } from "../../../contract/room/route.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import { refusalOf } from "../../http/refusal.ts";
import type { EventStreams } from "../events/event-streams.ts";
import type { RestDeps } from "../rest-deps.ts";
import { beginTurn, ownModel } from "./begin-turn.ts";
import { CompletionRequest, readCompletionRequest } from "./completion-request.ts";
import { Completion, OpenAiError, openAiError, refuseOpenAi } from "./completion-wire.ts";
import { answerInPieces, answerWhole } from "./give-answer.ts";

const ModelList = z.object({ models: z.array(z.object({ name: z.string() })) });
const Model = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.number(),
  owned_by: z.string(),
});
const maxBodyBytes = 64 * 1024 * 1024;
const invalidRequest = "invalid_request_error";

const refused = Object.fromEntries(
  [400, 403, 404, 409, 424, 429, 500].map((status) => [
    status,
    { description: status === 424 ? "The turn failed; the message says why." : "Refused.", schema: OpenAiError },
  ]),
);

export function completionRoutes(deps: RestDeps, streams: EventStreams): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/v1/models",
      summary: "Steward itself, and the models it may be asked to use.",
      scopes: [],
      responses: {
        200: { description: "Models.", schema: z.object({ object: z.literal("list"), data: z.array(Model) }) },
      },
      async answer({ caller }) {
        const created = Math.floor(deps.about.startedAtMs / 1000);
        const data = [ownModel, ...(await modelNames(deps, caller))].map((id) => ({
          id,
          object: "model" as const,
          created,
          owned_by: id.split("/", 1)[0] ?? id,
        }));
        return { status: 200, body: { object: "list", data } };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/v1/chat/completions",
      summary: "A turn of Steward: the last user message is said, the answer comes whole or as a stream of chunks.",
      scopes: [],
      maxBodyBytes,
      responses: {
        200: { description: "The answer; with `stream`, server-sent chunks that end with [DONE].", schema: Completion },
        ...refused,
      },
      documented: {
        requestHeaders: [
          {
            name: "X-Steward-Session",
            description: "The conversation to speak in, by its key or a name of your own; none: a new one.",
          },
          { name: "Idempotency-Key", description: "The same key is the same message: it is handled once." },
        ],
        responseHeaders: [
          { name: "X-Steward-Session", description: "The conversation that was spoken in." },
          { name: "X-Steward-Task", description: "The task, for GET /api/tasks/{id}." },
        ],
        body: { contentType: "application/json", schema: CompletionRequest },
      },
      async answer({ caller, body, headers, signal }) {
        const wish = readCompletionRequest(body);
        if ("param" in wish)
          return refuseOpenAi(400, openAiError(wish.message, { type: invalidRequest, param: wish.param }));
        if (wish.model !== ownModel && !(await modelNames(deps, caller)).includes(wish.model))
          return refuseOpenAi(404, unknownModel(wish.model));
        try {
          const asking = { caller, wish, headers, signal };
          const answering = { ...asking, ...(await beginTurn(deps, asking)) };
          if (!wish.stream) return await answerWhole(deps, answering);
          return { stream: (response) => answerInPieces(deps, streams, response, answering) };
        } catch (cause) {
          return inOpenAiWords(cause);
        }
      },
    }),
  ];
}

async function modelNames(deps: RestDeps, caller: Caller): Promise<readonly string[]> {
  return ModelList.parse(await deps.gateway.call(caller, "models.list", {})).models.map(({ name }) => name);
}

function unknownModel(model: string): OpenAiError {
  const message = `There is no model ${model}. Ask for "${ownModel}", or for one that GET /v1/models lists.`;
  return openAiError(message, { type: invalidRequest, param: "model", code: "model_not_found" });
}

function inOpenAiWords(cause: unknown): RouteAnswer {
  if (!(cause instanceof CallRefused)) throw cause;
  const { status, message, code } = refusalOf(cause);
  return refuseOpenAi(status, openAiError(message, { type: status < 500 ? invalidRequest : "server_error", code }));
}
