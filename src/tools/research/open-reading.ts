// The web tools of one research, opened anew for it, and what was read with them. The reader behind it may be in the hands of any
// page, so nothing it is told may come from this machine: neither a path nor a name in the network nor why something failed.
import { reasonOf } from "../../contract/failure.ts";
import type { ToolCall, ToolDeclaration } from "../../contract/model.ts";
import type { BoundCall, Tool, ToolResult } from "../../contract/tool.ts";
import { tidyText } from "../web/reader/tidy-text.ts";
import type { ResearchLimits, Source } from "./research.ts";

type Page = { url: string; title: string };
type OnPage = (askedUrl: string, page: Page) => void;
export type OpenWebTools = (onPage: OnPage) => readonly Tool[];

export type ReadingDeps = {
  webTools: OpenWebTools;
  limits: Pick<ResearchLimits, "pages" | "searches">;
  signal: AbortSignal;
  progress(text: string): void;
};

/** `isNew`: nobody has asked for exactly this before. */
export type Performed = { callId: string; tool: string; output: string; failed: boolean; isNew: boolean };

type Answer = Pick<Performed, "output" | "failed"> & { page?: Page };

export type Reading = ReturnType<typeof openReading>;

const longestTitle = 150;
const unreadable = "This page could not be read. It may be missing, private or broken; try another one.";
const unanswered = "The search did not answer. Try other words once, or go on without it.";

export function openReading(deps: ReadingDeps) {
  const { limits, signal } = deps;
  const sources = new Map<string, Source>();
  const pages = new Map<string, Page>();
  const labels = new Set<string>();
  const links = new Set<string>();
  const asked = new Set<string>();
  const counts = { pages: 0, searches: 0, unread: 0 };
  let searchTrouble: string | undefined;
  const tools = deps.webTools((askedUrl, { url, title }) => pages.set(askedUrl, { url, title }));
  const declarations: readonly ToolDeclaration[] = tools.map((tool) => tool.declaration);
  return {
    declarations,
    perform,
    sources: (): readonly Source[] => [...sources.values()],
    labels: (): readonly string[] => [...labels],
    /** What stood on the pages themselves: the reader may put an address together, and its words do not count. */
    links: (): readonly string[] => [...links],
    counts: (): Readonly<typeof counts> => counts,
    searchTrouble: () => searchTrouble,
    isUsedUp: () => counts.pages >= limits.pages,
  };

  /** Side by side, and numbered in the order in which they were asked for. */
  async function perform(calls: readonly ToolCall[]): Promise<readonly Performed[]> {
    const answers = await Promise.all(calls.map(async (call) => ({ call, ...(await answer(call)) })));
    return answers.map(({ call, output, page, failed }) => {
      const { callId, tool } = call;
      const numbered = page ? `Source [${noteSource(page).number}]\n${output}` : output;
      return { callId, tool, failed, output: numbered, isNew: noteCall(call) };
    });
  }

  function noteCall({ tool, arguments: given, malformed }: ToolCall): boolean {
    const key = JSON.stringify([tool, given, malformed]);
    const isNew = !asked.has(key);
    asked.add(key);
    return isNew;
  }

  async function answer(call: ToolCall): Promise<Answer> {
    const tool = tools.find(({ name }) => name === call.tool);
    if (!tool)
      return no(`There is no tool called ${call.tool}. There are: ${tools.map(({ name }) => name).join(", ")}.`);
    if (call.malformed !== undefined) return no("The arguments were not valid JSON.");
    const bound = tool.bind(call.arguments);
    if (!bound.ok) return no(`The arguments do not fit: ${bound.message}`);
    return tool.name === "web_search" ? search(bound.call) : read(bound.call);
  }

  async function search(call: BoundCall): Promise<Answer> {
    if (counts.searches >= limits.searches) return no("No more searches can be made.");
    counts.searches += 1;
    deps.progress(`searching for ${stringIn(call.arguments, "query")} …`);
    const result = await run(call);
    if (result.outcome === "done") return { output: result.output, failed: false };
    searchTrouble = result.output;
    return no(unanswered);
  }

  async function read(call: BoundCall): Promise<Answer> {
    if (counts.pages >= limits.pages) return no("No more pages can be read.");
    counts.pages += 1;
    const url = stringIn(call.arguments, "url");
    deps.progress(`reading ${URL.parse(url)?.host ?? url} …`);
    const result = await run(call);
    const page = pages.get(url);
    if (result.outcome === "done" && page) return { output: result.output, failed: false, page };
    counts.unread += 1;
    return no(unreadable);
  }

  async function run(call: BoundCall): Promise<ToolResult> {
    try {
      const result = await call.run({ ...nowhere, signal });
      for (const label of result.labels ?? []) labels.add(label);
      for (const link of result.links ?? []) links.add(link);
      return result;
    } catch (cause) {
      // one page that breaks its reader must not take with it what was found before
      return { outcome: "failed", output: reasonOf(cause) };
    }
  }

  function noteSource({ url, title }: Page): Source {
    const known = sources.get(url);
    if (known) return known;
    const oneLine = tidyText(title).replace(/\s+/g, " ").trim().slice(0, longestTitle).toWellFormed();
    const source = { number: sources.size + 1, title: oneLine || "(no title)", url };
    sources.set(url, source);
    return source;
  }
}

function no(output: string): Answer {
  return { output, failed: true };
}

// the tools are called from no conversation and over no folder
const nobody = { kind: "stranger", id: "nobody" } as const;
const nowhere = { conversation: "", turn: "", callId: "", asker: nobody, workspace: "", progress: () => {} };

function stringIn(args: unknown, field: string): string {
  const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, field) : undefined;
  return typeof value === "string" ? value : "";
}
