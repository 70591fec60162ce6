// How Steward is: a sign of life for anyone, figures for whoever may look.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { z } from "zod";
import { defineRoute, type Route } from "../../../contract/room/route.ts";
import { countOpenWork, modelTotals } from "../../../store/tables/task-queries.ts";
import type { EventStreams } from "../events/event-streams.ts";
import type { RestDeps } from "../rest-deps.ts";
import { counter, gauge, type Metric, prometheusText, prometheusType } from "./prometheus-text.ts";
import type { WorkCounters } from "./work-counters.ts";

const loopSampleMs = 20;

type LoopDelay = ReturnType<typeof monitorEventLoopDelay>;

export function healthRoute(deps: RestDeps): Route {
  return defineRoute({
    method: "GET",
    path: "/health",
    summary: "A sign of life. Seconds since the start, and nothing else.",
    scopes: "anyone",
    responses: {
      200: { description: "It lives.", schema: z.object({ status: z.literal("ok"), uptime: z.number().int() }) },
    },
    answer: async () => ({ status: 200, body: { status: "ok", uptime: uptimeSeconds(deps) } }),
  });
}

export function metricsRoute(deps: RestDeps, streams: EventStreams, counters: WorkCounters): Route {
  // measuring wakes the processor fifty times a second, so it begins when somebody first looks
  let delay: LoopDelay | undefined;
  return defineRoute({
    method: "GET",
    path: "/metrics",
    summary:
      "Figures for Prometheus: work since the first visit, what models have cost, what is open now, the process.",
    scopes: ["read"],
    responses: { 200: { description: "Prometheus text.", schema: z.string(), contentType: prometheusType } },
    refusals: [401, 403],
    async answer() {
      delay ??= monitorEventLoopDelay({ resolution: loopSampleMs });
      delay.enable();
      const metrics = [
        ...counters.metrics(),
        ...(await modelMetrics(deps)),
        ...(await openMetrics(deps)),
        gauge("steward_followers", "Clients that follow events by HTTP.", streams.count()),
        ...processMetrics(deps, delay),
      ];
      delay.reset();
      return { status: 200, bytes: Buffer.from(prometheusText(metrics)), headers: { "content-type": prometheusType } };
    },
  });
}

// from the sums that the store keeps, so they go on after a restart
async function modelMetrics(deps: RestDeps): Promise<readonly Metric[]> {
  const totals = await modelTotals(deps.database);
  const tokens = totals.flatMap(({ model, inputTokens, outputTokens }) => [
    { labels: { model, direction: "read" }, value: inputTokens },
    { labels: { model, direction: "written" }, value: outputTokens },
  ]);
  const steps = totals.map(({ model, calls }) => ({ labels: { model }, value: calls }));
  const cost = totals.map(({ model, costUsd }) => ({ labels: { model }, value: costUsd }));
  return [
    counter("steward_steps_total", "Answers of models.", steps),
    counter("steward_tokens_total", "Tokens read and written by models.", tokens),
    counter("steward_cost_usd_total", "US dollars spent on models, where the price is known.", cost),
  ];
}

async function openMetrics(deps: RestDeps): Promise<readonly Metric[]> {
  const open = await countOpenWork(deps.database);
  return [
    gauge("steward_queue_messages", "Messages that wait for a turn.", open.waitingMessages),
    gauge("steward_turns_running", "Turns under way.", open.runningTurns),
    gauge("steward_turns_waiting", "Turns that wait for a person.", open.waitingTurns),
    gauge("steward_approvals_open", "Questions that nobody has answered yet.", open.openApprovals),
    gauge("steward_events_last_seq", "Number of the newest event of the log.", deps.log.lastSeq()),
  ];
}

function processMetrics(deps: RestDeps, delay: LoopDelay): readonly Metric[] {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const cpuSeconds = (cpu.user + cpu.system) / 1e6;
  const loop = [50, 99].map((percentile) => ({
    labels: { quantile: String(percentile / 100) },
    value: delayBeyondSample(delay, percentile),
  }));
  return [
    gauge("process_uptime_seconds", "Seconds since the start.", uptimeSeconds(deps)),
    gauge("process_resident_memory_bytes", "Memory that the process holds.", memory.rss),
    gauge("nodejs_heap_used_bytes", "Memory that objects take.", memory.heapUsed),
    counter("process_cpu_seconds_total", "Processor time used.", [{ value: cpuSeconds }]),
    gauge("nodejs_eventloop_lag_seconds", "How late the event loop was since the last look.", loop),
  ];
}

// the histogram holds the time between samples; only what exceeds the usual distance is lateness
function delayBeyondSample(delay: LoopDelay, percentile: number): number {
  const seconds = delay.count === 0 ? 0 : delay.percentile(percentile) / 1e9 - loopSampleMs / 1000;
  return Math.max(0, seconds);
}

function uptimeSeconds(deps: RestDeps): number {
  return Math.max(0, Math.floor((deps.world.nowMs() - deps.about.startedAtMs) / 1000));
}
