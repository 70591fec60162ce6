// A URL comes in; the readable text behind it goes out, or a sentence that says why there is none.
import type { ToolResult } from "../../contract/tool.ts";
import { type BodyKind, bodyKind, charsetOf, mediaType } from "./body-kind.ts";
import { type FetchPage, type PageOutcome, type PageResponse, userAgent } from "./fetch-page.ts";
import type { PageReader, ReadPage } from "./open-page-reader.ts";
import { type FindProgram, pdfText } from "./pdf-text.ts";
import { tidyText } from "./reader/tidy-text.ts";

export type LoadDeps = { fetchPage: FetchPage; reader: PageReader; version: string; findProgram?: FindProgram };

export type WebPage = {
  url: string;
  text: string;
  title: string;
  isCut: boolean;
  /** Set when the server did not answer with what was asked for, such as "404 Not Found". */
  problem: string | undefined;
  labels: readonly string[];
};

const limits = { maxBytes: 10 * 1024 * 1024, timeoutMs: 30_000, maxDecompressionRatio: 100 };
const accept = "text/markdown, text/html, application/xhtml+xml, text/plain, application/json, */*;q=0.5";

type Wish = { url: string; raw: boolean; signal: AbortSignal };

export async function loadPage(deps: LoadDeps, wish: Wish): Promise<WebPage | ToolResult> {
  const { url, signal } = wish;
  const headers = { "user-agent": userAgent(deps.version), accept };
  const outcome = await deps.fetchPage({ url, method: "GET", headers, signal, limits });
  const labels = labelsOf(url, outcome);
  if (outcome.kind === "refused") return nothing("failed", explainRefusal(url, outcome), labels);
  if (outcome.kind === "failed")
    return nothing("failed", `${quoted(url)} could not be read: ${outcome.reason}.`, labels);

  const problem = await problemOf(outcome.status);
  const kind = bodyKind(outcome.headers["content-type"] ?? "", outcome.body);
  if (kind === "binary" || outcome.body.length === 0)
    return nothing(problem ? "failed" : "done", describeUnreadable(outcome, problem), labels);
  const read = await readBody(deps, outcome, kind, wish);
  if (read.kind === "failed") return nothing("failed", `The page arrived but could not be read: ${read.why}.`, labels);
  return { ...read, url: outcome.url, problem, labels };
}

async function readBody(
  deps: LoadDeps,
  { url, body, headers }: PageResponse,
  kind: Exclude<BodyKind, "binary">,
  { raw, signal }: Wish,
): Promise<ReadPage> {
  if (kind !== "pdf") {
    const charset = charsetOf(headers["content-type"] ?? "");
    return deps.reader.read({ kind: raw ? "text" : kind, bytes: body, charset, url, signal });
  }
  const pdf = await pdfText(body, signal, deps.findProgram);
  if (pdf.kind === "failed") return pdf;
  const read = await deps.reader.read({ kind: "text", bytes: pdf.bytes, charset: "utf-8", url, signal });
  return read.kind === "read" ? { ...read, isCut: read.isCut || pdf.isCut } : read;
}

/** Whoever was spoken to may have had a say in what comes back, even in an error. */
function labelsOf(url: string, outcome: PageOutcome): readonly string[] {
  if (outcome.connected.length === 0) return [];
  const hosts = [url, ...(outcome.kind === "failed" ? [] : [outcome.url])];
  return [...new Set(hosts.flatMap((each) => hostLabel(each) ?? []))];
}

async function problemOf(status: number): Promise<string | undefined> {
  if (status < 400) return undefined;
  // a start that fetches nothing does without Node's HTTP, which is large
  const { STATUS_CODES } = await import("node:http");
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}

// models like to leave out how an address begins
function explainRefusal(url: string, refusal: { url: string; reason: string }): string {
  const advice = URL.canParse(url) ? "" : " Write all of it, such as https://example.org/page.";
  return `${quoted(refusal.url)} is not fetched: ${refusal.reason}.${advice}`;
}

function describeUnreadable({ headers, body }: PageResponse, problem: string | undefined): string {
  const status = problem ? ` (the server answered ${problem})` : "";
  if (body.length === 0) return `The answer is empty${status}.`;
  const type = mediaType(headers["content-type"] ?? "");
  const shown = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : "of unknown type";
  return `That is not text${status}: ${shown}, ${body.length} bytes. Only its type and size are shown.`;
}

function nothing(outcome: ToolResult["outcome"], sentence: string, labels: readonly string[]): ToolResult {
  return { outcome, output: tidyText(sentence), labels };
}

function quoted(url: string): string {
  return url.length > 300 ? `${url.slice(0, 300)}…` : url;
}

export function hostLabel(url: string): string | undefined {
  const host = URL.parse(url)?.host;
  return host ? `web:${host}` : undefined;
}
