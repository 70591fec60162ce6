// What was said in a group, as the model reads it: when, by whom, and nothing that could pass for another line.
import type { EventOf } from "../contract/event.ts";
import { visibleLine } from "../contract/words/visible-line.ts";

export type Spoken = EventOf<"message.overheard"> | EventOf<"message.received">;

const mostLines = 60;
const mostCharacters = 12_000;
// a voice may go on for long
const mostOfOne = 4_000;
const mostGlimpses = 8;
const glimpseLength = 100;

/** What others said since Steward last answered; what lies too far back is told in short. */
export function catchUp(overheard: readonly Spoken[], timeZone: string): string | undefined {
  if (overheard.length === 0) return undefined;
  const lines: string[] = [];
  let length = 0;
  for (const event of overheard.toReversed()) {
    const line = spokenLine(shortened(event), timeZone);
    if (lines.length >= mostLines || length + line.length > mostCharacters) break;
    lines.unshift(line);
    length += line.length;
  }
  const earlier = overheard.slice(0, overheard.length - lines.length);
  const before = earlier.length === 0 ? [] : [digest(earlier, timeZone)];
  return ["Said in the group since you last answered, to others:", ...before, ...lines].join("\n");
}

function shortened(event: Spoken): Spoken {
  if (event.text.length <= mostOfOne) return event;
  return { ...event, text: `${event.text.slice(0, mostOfOne).toWellFormed()} […]` };
}

export function spokenLine(event: Spoken, timeZone: string): string {
  const files = event.attachments.map(({ name }) => ` [file: ${visibleLine(name, 80)}]`).join("");
  // a line of a message must not look like a message of somebody else
  const text = event.text.trim().replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n    ");
  return `[${momentOf(event.atMs, timeZone)}] ${speakerName(event)}: ${text}${files}`;
}

function speakerName({ sender }: Spoken): string {
  // brackets and colons are what separates names from words
  const name = visibleLine(sender.name ?? sender.id, 40)
    .replace(/[[\]:]/g, " ")
    .trim();
  return name === "" ? visibleLine(sender.id, 40) : name;
}

function digest(events: readonly Spoken[], timeZone: string): string {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(speakerName(event), (counts.get(speakerName(event)) ?? 0) + 1);
  const people = [...counts].sort(([, one], [, other]) => other - one);
  const named = people.slice(0, 6).map(([name, count]) => `${name} (${count})`);
  const others = people.length > named.length ? `, and ${people.length - named.length} others` : "";
  const [first, last] = [events[0], events.at(-1)];
  const span = first && last ? `${momentOf(first.atMs, timeZone)} to ${momentOf(last.atMs, timeZone)}` : "";
  const step = Math.max(1, Math.ceil(events.length / mostGlimpses));
  const glimpses = events
    .filter((_, index) => index % step === 0)
    .map((event) => `  ${speakerName(event)}: ${visibleLine(event.text, glimpseLength)}`);
  return [
    `(Earlier, in short: ${events.length} messages from ${span}, by ${named.join(", ")}${others}. Some of them:`,
    ...glimpses,
    ")",
  ].join("\n");
}

function momentOf(atMs: number, timeZone: string): string {
  const parts = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Date(atMs).toLocaleString("en-GB", { ...parts, timeZone });
}
