import type { Event } from "../../../contract/event.ts";
import type { EventLog } from "../../../store/log/event-log.ts";
import { counter, type Metric } from "./prometheus-text.ts";

export type WorkCounters = ReturnType<typeof openWorkCounters>;

type Counter = { help: string; label: readonly string[]; values: Map<string, number> };

/** Counts what is written into the log from now on; no name of a conversation or a person is among it. */
export function openWorkCounters(log: Pick<EventLog, "subscribe">) {
  const counters = {
    turns_started: countBy("Turns begun."),
    turns_finished: countBy("Turns ended, by how they ended.", "ending"),
    tool_calls: countBy("Calls of tools, by outcome.", "outcome"),
    approvals_asked: countBy("Questions put to a person."),
    messages: countBy("Messages taken in, by channel.", "channel"),
    http_requests: countBy("Requests answered, by route and status.", "route", "status"),
  };
  log.subscribe((events) => {
    for (const event of events) count(event);
  });
  return {
    countRequest: (route: string, status: number) => add(counters.http_requests, route, String(status)),
    metrics: () => Object.entries(counters).map(([name, one]) => metricOf(`steward_${name}_total`, one)),
  };

  function count(event: Event): void {
    if (event.type === "turn.started") add(counters.turns_started);
    if (event.type === "turn.finished") add(counters.turns_finished, event.ending);
    if (event.type === "tool.returned") add(counters.tool_calls, event.outcome);
    if (event.type === "approval.asked") add(counters.approvals_asked);
    if (event.type === "message.received") add(counters.messages, event.channel);
  }
}

function countBy(help: string, ...label: readonly string[]): Counter {
  return { help, label, values: new Map(label.length === 0 ? [["[]", 0]] : []) };
}

function add(one: Counter, ...labels: readonly string[]): void {
  const key = JSON.stringify(labels);
  one.values.set(key, (one.values.get(key) ?? 0) + 1);
}

function metricOf(name: string, { help, label, values }: Counter): Metric {
  const samples = [...values].map(([key, value]) => {
    const given = JSON.parse(key) as readonly string[];
    return { labels: Object.fromEntries(label.map((each, index) => [each, given[index] ?? ""])), value };
  });
  return counter(name, help, samples);
}
