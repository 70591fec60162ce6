// A research over a site on loopback: the real room with its own web tools, a scripted reader, and everything that was asked for.
import type { NewEvent } from "../../../src/contract/event.ts";
import { Settings } from "../../../src/contract/settings.ts";
import type { ToolContext, ToolResult } from "../../../src/contract/tool.ts";
import { fetchGuarded } from "../../../src/guard/address/guarded-network.ts";
import { openAskModel } from "../../../src/guard/ask-model.ts";
import type { Budget } from "../../../src/guard/budget.ts";
import { openRedactor } from "../../../src/guard/redaction/redactor.ts";
import type { ResearchLimits } from "../../../src/tools/research/research.ts";
import { researchTool } from "../../../src/tools/research/research-tool.ts";
import { openWebTools } from "../../../src/tools/web/web-tools.ts";
import { type ScriptedAnswer, scriptedModel } from "../scripted-model.ts";
import { type Serve, webScene } from "./web-scene.ts";

export type ReaderScript = Parameters<typeof scriptedModel>[0];

export type ResearchOptions = {
  serve?: Serve;
  limits?: Partial<ResearchLimits>;
  settings?: Record<string, unknown>;
  environment?: Record<string, string>;
  contextTokens?: number;
  budget?: Budget;
};

export async function researchScene(
  script: (site: (path: string) => string) => ReaderScript,
  options: ResearchOptions = {},
) {
  const site = await webScene(options.serve ?? titledPages);
  const model = scriptedModel(script(site.url), options.contextTokens);
  const settings = Settings.parse(options.settings ?? {});
  const logged: NewEvent[] = [];
  const progress: string[] = [];
  const world = { nowMs: Date.now, newId: (prefix: string) => `${prefix}_mark` };
  const web = openWebTools({
    ...{ version: "1.2.3", settings, environment: options.environment ?? {}, world },
    network: {
      // a search on this machine is reached by its setting, the site by the scene's exception
      fetch: (exception, request) => (exception ? fetchGuarded(exception, request) : site.fetchPage(request)),
    },
  });
  const whyNoSearch = await web.whyNoSearch();
  const ask = openAskModel({
    models: model,
    budget: options.budget ?? { reserve: async () => ({ ok: true, release() {} }) },
    log: {
      async append(events) {
        logged.push(...events);
        return { events: [], repeated: false };
      },
    },
    ...{ maxOutputTokens: 1_000, nowMs: Date.now, redact: (text) => text },
  });
  const tool = researchTool({
    ...{ ask, world, whyNoSearch, thinking: "off", redact: openRedactor({ known: [] }).redact },
    webTools: (onPage) => web.fresh({ onPage }).filter(({ name }) => name !== "web_search" || !whyNoSearch),
    ...(options.limits && { limits: options.limits }),
  });
  return { ...{ site, model, tool, logged, progress }, research };

  function research(args: unknown, signal = new AbortController().signal): Promise<ToolResult> {
    const bound = tool.bind(args);
    if (!bound.ok) throw new Error(bound.message);
    const context: ToolContext = {
      ...{ conversation: "terminal--a", turn: "t1", callId: "c1", workspace: "/nowhere", signal },
      asker: { kind: "owner", id: "owner" },
      progress: (text) => progress.push(text),
    };
    return bound.call.run(context);
  }
}

/** A page for every path, which says its own name. */
const titledPages: Serve = (request, response) => {
  const name = (request.url ?? "/").slice(1);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(
    `<title>Page ${name}</title><main><h1>${name}</h1><p>Everything there is to know about ${name}.</p></main>`,
  );
};

export const fetches = (...urls: readonly string[]): ScriptedAnswer => ({
  text: "",
  calls: urls.map((url) => ({ tool: "web_fetch", arguments: { url } })),
});

/** The tool outputs that the reader was shown, in order. */
export function shown(model: { requests: readonly { messages: readonly { role: string }[] }[] }): readonly string[] {
  const messages = model.requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) => ("output" in message ? [String(message.output)] : []));
}
