import { createInterface } from "node:readline";
import { z } from "zod";
import type { CommandConsole } from "../../contract/room/command.ts";
import type { FetchOutcome, Transport } from "../address/fetch-outcome.ts";
import { guardedFetch } from "../address/guarded-fetch.ts";

const Case = z.strictObject({
  id: z.union([z.string(), z.number()]),
  url: z.string(),
  /** For each host its look-ups in order, each a list of addresses; the last one repeats. */
  dns: z.record(z.string(), z.array(z.array(z.string()))).default({}),
  /** The location that a URL redirects to; any other URL answers 200. */
  redirects: z.record(z.string(), z.string()).default({}),
});
type Case = z.infer<typeof Case>;

type Verdict = { id: Case["id"] | null; verdict: "fetch" | "refuse"; connected: readonly string[]; reason: string };

/** Judges made-up look-ups and redirects with the real fetch code; nothing is fetched. */
export async function judgeAddressLines(console: CommandConsole): Promise<number> {
  for await (const line of createInterface({ input: console.input })) {
    if (line.trim() !== "") console.output.write(`${JSON.stringify(await judgeLine(line))}\n`);
  }
  return 0;
}

/** One line of JSON in, one verdict out; a line that cannot be read is refused. */
export async function judgeLine(line: string): Promise<Verdict> {
  try {
    return await judgeCase(JSON.parse(line));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { id: null, verdict: "refuse", connected: [], reason: `input: the line is not JSON (${error.message})` };
  }
}

/** Runs the real guarded fetch against name servers and redirects that exist only in the case. */
async function judgeCase(raw: unknown): Promise<Verdict> {
  const read = Case.safeParse(raw);
  if (!read.success) {
    const reason = `input: ${z.prettifyError(read.error).replaceAll("\n", " ")}`;
    return { id: idOf(raw), verdict: "refuse", connected: [], reason };
  }
  const connected: string[] = [];
  const outcome = await guardedFetch(
    { resolve: resolverOf(read.data), connect: recordingTransport(read.data, connected), nowMs: () => 0 },
    {
      url: read.data.url,
      method: "GET",
      headers: {},
      signal: new AbortController().signal,
      limits: { maxBytes: 1, timeoutMs: 60_000, maxDecompressionRatio: 1 },
    },
  );
  const verdict = outcome.kind === "response" ? "fetch" : "refuse";
  return { id: read.data.id, verdict, connected, reason: reasonOf(outcome) };
}

function resolverOf(given: Case): (host: string) => Promise<readonly string[]> {
  const lookUps = new Map(Object.entries(given.dns).map(([host, answers]) => [normaliseHost(host), answers]));
  const asked = new Map<string, number>();
  return async (host) => {
    const answers = lookUps.get(host) ?? [];
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    return answers[turn] ?? answers.at(-1) ?? [];
  };
}

function recordingTransport(given: Case, connected: string[]): Transport {
  const locations = new Map(
    Object.entries(given.redirects).map(([url, location]) => [withoutFragment(URL.parse(url)?.href ?? url), location]),
  );
  return async ({ url, address }) => {
    connected.push(address);
    const location = locations.get(withoutFragment(url.href));
    const said = location === undefined ? { status: 200, headers: {} } : { status: 302, headers: { location } };
    return { kind: "answered", ...said, body: (async function* () {})(), discard: () => {} };
  };
}

function reasonOf(outcome: FetchOutcome): string {
  if (outcome.kind === "response") return "every hop leads to a public address";
  return `${outcome.kind === "refused" ? outcome.rule : outcome.failure}: ${outcome.reason}`;
}

function normaliseHost(host: string): string {
  return (URL.parse(`http://${host}/`)?.hostname ?? host).replace(/\.$/, "");
}

function withoutFragment(href: string): string {
  return href.replace(/#.*$/s, "");
}

function idOf(raw: unknown): Case["id"] | null {
  return z.object({ id: Case.shape.id }).safeParse(raw).data?.id ?? null;
}
