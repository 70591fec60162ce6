// The text format that Prometheus reads, version 0.0.4.
type Sample = { labels?: Readonly<Record<string, string>>; value: number };
export type Metric = { name: string; help: string; type: "counter" | "gauge"; samples: readonly Sample[] };

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

export function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: "counter", samples };
}

export function gauge(name: string, help: string, measured: number | readonly Sample[]): Metric {
  return { name, help, type: "gauge", samples: typeof measured === "number" ? [{ value: measured }] : measured };
}

export function prometheusText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join("");
}

function metricText({ name, help, type, samples }: Metric): string {
  const lines = samples.map((sample) => `${name}${labelText(sample.labels ?? {})} ${sample.value}\n`);
  return `# HELP ${name} ${escapeText(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value).replaceAll('"', '\\"')}"`);
  return pairs.length > 0 ? `{${pairs.join(",")}}` : "";
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
