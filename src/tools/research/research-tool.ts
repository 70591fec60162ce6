import { z } from "zod";
import type { AskModel, ModelAnswer } from "../../contract/ask-model.ts";
import type { ThinkingLevel } from "../../contract/model.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../contract/tool.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import { escapeLines } from "../paths/escape-text.ts";
import { readsOnly } from "../reads-only.ts";
import { linksIn } from "../web/links-in.ts";
import type { OpenWebTools } from "./open-reading.ts";
import type { ResearchLimits, ResearchQuestion } from "./research.ts";

export type ResearchToolDeps = {
  ask: AskModel;
  webTools: OpenWebTools;
  /** What the search lacks; undefined when there is one. */
  whyNoSearch: string | undefined;
  world: { nowMs(): number; newId(prefix: string): string };
  thinking: ThinkingLevel;
  redact(text: string): string;
  limits?: Partial<ResearchLimits>;
};

const name = "research";
const usualLimits: ResearchLimits = { steps: 12, pages: 20, searches: 10, timeoutMs: 5 * 60_000 };
const stopped: ModelAnswer = { ok: false, kind: "aborted", reason: "It was stopped." };
const nowhere = "Without a web search it must be told where to begin.";
const addresses = z.array(z.string().trim().min(1).max(2_000), nowhere).max(20);

/** A reader that has nothing to tell: it may go anywhere on the web, because it knows the question and nothing else. */
export function researchTool(deps: ResearchToolDeps): Tool {
  return defineTool({
    name,
    description: "Have a separate reader browse many pages and report with sources; it knows only the question.",
    arguments: z.object({
      question: z.string().trim().min(1).max(4_000).describe("Complete in itself"),
      // without a search it would have nowhere to begin
      addresses:
        deps.whyNoSearch === undefined ? addresses.optional() : addresses.min(1, nowhere).describe("Where to begin"),
    }),
    ...readsOnly,
    tells: ({ question, addresses = [] }) => [question, ...addresses].map((text) => ({ kind: "words", text })),
    formatApproval: (args) =>
      `Send a reader to the web, which is told this and nothing else:\n${escapeLines(told(args))}`,
    run: (context, args) => run(deps, context, args),
  });
}

type ResearchArguments = { question: string; addresses?: string[] | undefined };

function told({ question, addresses = [] }: ResearchArguments): string {
  return [question, ...addresses].join("\n");
}

async function run(deps: ResearchToolDeps, context: ToolContext, args: ResearchArguments): Promise<ToolResult> {
  if (deps.redact(told(args)) !== told(args))
    return {
      outcome: "failed",
      output: "The question holds what looks like a secret. Ask without it: it would leave.",
    };
  // the loop is needed by few conversations
  const { openReading } = await import("./open-reading.ts");
  const { runResearch } = await import("./run-research.ts");
  const { findingsOf, formatFindings } = await import("./format-findings.ts");
  const limits = { ...usualLimits, ...deps.limits };
  const late = AbortSignal.timeout(limits.timeoutMs);
  const signal = AbortSignal.any([context.signal, late]);
  const { progress } = context;
  const reading = openReading({ webTools: deps.webTools, limits, signal, progress });
  const wish: ResearchQuestion = { question: args.question, addresses: args.addresses ?? [] };
  const end = await runResearch(
    {
      ...{ reading, limits, thinking: deps.thinking, nowMs: deps.world.nowMs },
      ask: async (question) => (signal.aborted ? stopped : deps.ask({ ...context, signal, tool: name }, question)),
    },
    wish,
  );
  const isLate = late.aborted && !context.signal.aborted && end.report === undefined;
  const trouble = isLate ? `Its time of ${formatDuration(limits.timeoutMs)} was over.` : end.trouble;
  const output = formatFindings({ ...end, trouble }, reading, deps);
  const labels = reading.labels();
  return {
    outcome: end.report === undefined ? "failed" : "done",
    output,
    labels: labels.length === 0 ? [] : [...labels, `web:${name}`],
    links: namedFirst(reading.links(), findingsOf(end, reading)),
  };
}

/** Only so many are kept: those come first of which the findings speak. */
function namedFirst(links: readonly string[], findings: string): readonly string[] {
  const named = new Set(linksIn(findings));
  return [...links.filter((link) => named.has(link)), ...links.filter((link) => !named.has(link))];
}
