import type { Event } from "../../contract/event.ts";
import type { EventLog } from "../../store/event-log.ts";
import type { Metric } from "./prometheus-text.ts";

export type WorkCounters = {
  countRequest(route: string, status: number): void;
  metrics(): readonly Metric[];
};

type Counter = { help: string; label?: readonly string[]; values: Map<string, number> };

/** Counts what the log says since the start; names of models are told, names of conversations and people never. */
export function openWorkCounters(log: Pick<EventLog, "subscribe">): WorkCounters {
  const counters = {
    turns_started: counter("Turns begun since the start."),
    turns_finished: counter("Turns ended since the start, by how they ended.", "ending"),
    steps: counter("Answers of models since the start.", "model"),
    tokens: counter("Tokens read and written by models since the start.", "model", "direction"),
    cost_usd: counter("US dollars spent on models since the start, where the price is known.", "model"),
    tool_calls: counter("Calls of tools since the start, by outcome.", "outcome"),
    approvals_asked: counter("Questions put to a person since the start."),
    messages: counter("Messages taken in since the start, by channel.", "channel"),
    http_requests: counter("Requests answered since the start, by route and status.", "route", "status"),
  };
  log.subscribe((events) => {
    for (const event of events) count(event);
  });
  return {
    countRequest: (route, status) => add(counters.http_requests, 1, route, String(status)),
    metrics: () => Object.entries(counters).map(([name, one]) => metricOf(`steward_${name}_total`, one)),
  };

  function count(event: Event): void {
    if (event.type === "turn.started") add(counters.turns_started, 1);
    if (event.type === "turn.finished") add(counters.turns_finished, 1, event.ending);
    if (event.type === "tool.returned") add(counters.tool_calls, 1, event.outcome);
    if (event.type === "approval.asked") add(counters.approvals_asked, 1);
    if (event.type === "message.received") add(counters.messages, 1, event.channel);
    if (event.type !== "step.finished") return;
    const { model, usage, costUsd = 0 } = event;
    add(counters.steps, 1, model);
    add(counters.tokens, usage.inputTokens, model, "read");
    add(counters.tokens, usage.outputTokens, model, "written");
    add(counters.cost_usd, costUsd, model);
  }
}

function counter(help: string, ...label: readonly string[]): Counter {
  return { help, label, values: new Map(label.length === 0 ? [["[]", 0]] : []) };
}

function add(one: Counter, amount: number, ...labels: readonly string[]): void {
  const key = JSON.stringify(labels);
  one.values.set(key, (one.values.get(key) ?? 0) + amount);
}

function metricOf(name: string, { help, label = [], values }: Counter): Metric {
  const samples = [...values].map(([key, value]) => {
    const given = JSON.parse(key) as readonly string[];
    return { labels: Object.fromEntries(label.map((each, index) => [each, given[index] ?? ""])), value };
  });
  return { name, help, type: "counter", samples };
}
