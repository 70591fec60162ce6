// Everything other programs may do by plain HTTP: one table, read by the server and by the OpenAPI document.

import type { Route } from "../../contract/room/route.ts";
import { refusalOf } from "../http/refusal.ts";
import { approvalRoutes } from "./approval-routes.ts";
import { attachmentRoute } from "./attachment-route.ts";
import { callRoute } from "./call-route.ts";
import { completionRoutes } from "./completions/completion-routes.ts";
import { openEventStreams } from "./events/event-streams.ts";
import { logEventsRoute } from "./events/log-events-route.ts";
import { openApiRoute } from "./openapi/openapi-route.ts";
import type { RestDeps } from "./rest-deps.ts";
import { sessionRoutes } from "./session-routes.ts";
import { healthRoute, metricsRoute } from "./status/status-routes.ts";
import { openWorkCounters, type WorkCounters } from "./status/work-counters.ts";
import { plannedRoutes } from "./tasks/planned-routes.ts";
import { taskEventsRoute } from "./tasks/task-events-route.ts";
import { taskRoutes } from "./tasks/task-routes.ts";

/** `others`: what other rooms offer; counted and described like the rest. */
export function restRoutes(deps: RestDeps, others: readonly Route[] = []): readonly Route[] {
  const streams = openEventStreams({ heartbeatMs: deps.heartbeatMs, onAccessEnd: deps.access.onEnd });
  const counters = openWorkCounters(deps.log);
  const routes: readonly Route[] = [
    ...sessionRoutes(deps),
    ...taskRoutes(deps),
    ...plannedRoutes(deps),
    taskEventsRoute(deps, streams),
    logEventsRoute(deps, streams),
    ...approvalRoutes(deps),
    callRoute(deps),
    attachmentRoute(deps),
    healthRoute(deps),
    metricsRoute(deps, streams, counters),
    ...completionRoutes(deps, streams),
    openApiRoute(deps, () => routes),
    ...others,
  ].map((route) => counted(counters, route));
  return routes;
}

function counted(counters: WorkCounters, route: Route): Route {
  const name = `${route.method} ${route.path}`;
  return {
    ...route,
    async answer(request) {
      try {
        const answer = await route.answer(request);
        counters.countRequest(name, "stream" in answer ? 200 : answer.status);
        return answer;
      } catch (cause) {
        counters.countRequest(name, refusalOf(cause).status);
        throw cause;
      }
    },
  };
}
