// Times, money, sizes and numbers of things as a person says them, in the terminal and on the page.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "just now", "3 min ago", "yesterday", then the date. */
export function formatAgo(atMs: number, nowMs: number): string {
  const age = nowMs - atMs;
  if (age < 45 * second) return "just now";
  if (age < hour) return `${Math.max(1, Math.round(age / minute))} min ago`;
  const days = calendarDays(atMs, nowMs);
  if (days === 0) return `${Math.round(age / hour)} h ago`;
  if (days === 1) return "yesterday";
  if (days < 7) return `${days} days ago`;
  const sameYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(undefined, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  }).format(atMs);
}

/** How long something took or will take: "0.8 s", "12 s", "2 min 5 s", "3 h 20 min", "2 days". */
export function formatDuration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * second) return `${figure(ms / second, 1)} s`;
  const seconds = Math.round(ms / second);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  const minutes = Math.round(ms / minute);
  if (minutes < 24 * 60) return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const days = Math.round(ms / day);
  return days === 1 ? "1 day" : `${days} days`;
}

/** Small sums keep enough figures to mean something: "$0.0031", "$0.42", "$1,204". */
export function formatUsd(usd: number): string {
  const size = Math.abs(usd);
  if (size > 0 && size < 0.0001) return "under $0.0001";
  const fraction = size === 0 || size >= 0.1 ? 2 : 4;
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: size >= 1000 ? 0 : Math.min(2, fraction),
    maximumFractionDigits: size >= 1000 ? 0 : fraction,
  }).format(usd);
}

/** "840", "12.3k", "1.2M": the bare figure, so that the sentence around it can say tokens once. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_500) return `${figure(tokens / 1000, tokens < 99_950 ? 1 : 0)}k`;
  return `${figure(tokens / 1_000_000, 1)}M`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  if (bytes < 999_500) return `${figure(bytes / 1000, bytes < 10_000 ? 1 : 0)} KB`;
  if (bytes < 999_500_000) return `${figure(bytes / 1_000_000, 1)} MB`;
  return `${figure(bytes / 1_000_000_000, 1)} GB`;
}

/** "1 line", "12,400 characters". */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ",")} ${amount === 1 ? one : many}`;
}

function calendarDays(fromMs: number, toMs: number): number {
  const from = new Date(fromMs).setHours(0, 0, 0, 0);
  const to = new Date(toMs).setHours(0, 0, 0, 0);
  // rounded, because a day with a clock change has 23 or 25 hours
  return Math.round((to - from) / day);
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

function figure(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
