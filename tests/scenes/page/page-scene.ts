// The web page as a person sees it: the real program, the system's Chromium, and a fake model server in between.
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { findChromium } from "../../../src/tools/browser/process/launch-chromium.ts";
import { type FakeModelServer, startFakeModelServer } from "../../fakes/model/fake-model-server.ts";
import type { FakeAnswer, FakeRequest } from "../../fakes/model/model-answer.ts";
import { answerByRules } from "../../fakes/model/model-rules.ts";
import { clientOf, ended, spawnSteward, writeSettings } from "../steward-process.ts";

/** Long enough for two busy cores; whoever waits that long has found a fault. */
export const patienceMs = 60_000;
export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

// the page names the browser that was let in, and nobody's is headless
const usualBrowser =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** What a browser says of a server that is gone; the test that kills it expects it. */
export const theirConnectionBreaks = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED/;
const root = fileURLToPath(new URL("../../..", import.meta.url));
// the scripts are plain JavaScript, so their types are said here
const building: string = new URL("../../../scripts/ensure-web-page.mjs", import.meta.url).href;
type Building = { buildWebPage(root: string): Promise<string | undefined> };

/** Builds the page if its sources changed. */
export async function ensurePage(): Promise<void> {
  const { buildWebPage }: Building = await import(building);
  const failure = await buildWebPage(root);
  if (failure) throw new Error(`The web page could not be built: ${failure}`);
}

/** One browser for all tests of a file. */
export async function openBrowser(): Promise<Browser> {
  await ensurePage();
  const found = findChromium();
  if ("refused" in found) throw new Error(found.refused);
  return chromium.launch({
    executablePath: found.path,
    // people have scrollbars, and a page that shows one too many must show it here
    ignoreDefaultArgs: ["--hide-scrollbars"],
    // root has no sandbox of its own, and every page here is ours
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ],
  });
}

export type StewardOptions = {
  /** Added to settings that make the fake server the only model; null: no settings, as on the first run. */
  settings?: Record<string, unknown> | null;
  scripts?: Scripts;
  /** The name under which the fake server is known, with a price, if not fake/fake-model. */
  model?: string;
  /** Puts files into the folder before the first start. */
  furnish?(home: string): Promise<void>;
};

/** A question, or words of it, and the steps of its answer; other questions are answered by the marks in them. */
export type Scripts = Readonly<Record<string, readonly FakeAnswer[]>>;

export type RunningSteward = {
  home: string;
  origin: string;
  model: FakeModelServer;
  /** As whoever sits at the machine. */
  call: GatewayClient["call"];
  /** A link that lets one browser in, once. */
  link(): Promise<string>;
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
};

export async function startSteward(options: StewardOptions = {}): Promise<RunningSteward> {
  const home = await mkdtemp(join(tmpdir(), "steward-page-"));
  const port = await freePort();
  const model = await startFakeModelServer({
    answers: (request) => scriptedAnswer(options.scripts ?? {}, request) ?? answerByRules(request),
    models: ["fake-model"],
  });
  if (options.settings !== null) {
    const named = options.model === undefined ? {} : namedModel(options.model, model.url);
    await writeSettings(home, model.port, { ...named, ...options.settings });
  }
  await options.furnish?.(home);
  let child: ChildProcess;
  let words = "";
  const call: GatewayClient["call"] = async (name, params) => {
    const client = await clientOf(child, home);
    if (!client) throw new Error(`Steward is not running: ${words}`);
    const result = await client.call(name, params);
    await client.close();
    return result;
  };
  const start = async () => {
    const key = options.model === undefined ? {} : { ANTHROPIC_API_KEY: "not-a-real-key" };
    child = spawnSteward({ home, environment: { STEWARD_GATEWAY_PORT: String(port), TZ: "UTC", ...key } });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (piece) => {
        words += piece;
      });
    await call("health.check", {});
  };
  const kill = async () => {
    child.kill("SIGKILL");
    await ended(child);
  };
  await start();
  return {
    home,
    origin: `http://127.0.0.1:${port}`,
    model,
    call,
    link: async () => (await call("access.createCode", {})).url,
    kill,
    start,
    async close() {
      await kill();
      await model.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function namedModel(name: string, url: string): Record<string, unknown> {
  const [provider = ""] = name.split("/");
  const place = { kind: "openai-compatible", baseUrl: `${url}/v1`, contextTokens: 200_000 };
  return {
    agent: { model: name },
    models: {
      providers: { [provider]: place },
      prices: { [name]: { input: 2, output: 10 } },
      probeLocal: false,
    },
  };
}

/** Known before it starts, so that it can start again at the same place; nobody who asks for any port gets one of these. */
async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const server = createServer();
  const isFree = await new Promise((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function scriptedAnswer(scripts: Scripts, request: FakeRequest): FakeAnswer | undefined {
  const question = Object.keys(scripts).find((words) => request.lastUserText.includes(words));
  const steps = question === undefined ? [] : (scripts[question] ?? []);
  return steps[Math.min(stepsSinceQuestion(request), steps.length - 1)];
}

function stepsSinceQuestion({ body }: FakeRequest): number {
  const messages: { role?: string }[] = Array.isArray(body.messages) ? body.messages : [];
  const question = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(question).filter(({ role }) => role === "assistant").length;
}

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** Everything that must not happen on the page. */
  problems: string[];
  /** Some faults are the test's own doing, such as a server that is gone. */
  expectProblem(pattern: RegExp): void;
};

export type Visitor = {
  /** A browser of its own, not signed in; it may speak with this assistant and with nobody else. */
  arrive(assistant: RunningSteward, options?: BrowserContextOptions): Promise<Visit>;
  /** The same with a code, at a page of the assistant. */
  visit(assistant: RunningSteward, path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** Leaves all pages and says what went wrong on them. */
  leave(): Promise<string[]>;
};

export function openVisitor(browser: () => Browser): Visitor {
  const visits: Visit[] = [];
  const arrive = async (assistant: RunningSteward, options: BrowserContextOptions = {}) => {
    const context = await browser().newContext({
      viewport: desktop,
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      userAgent: usualBrowser,
      ...options,
    });
    context.setDefaultTimeout(patienceMs);
    const visit = await watchedVisit(context, assistant.origin);
    visits.push(visit);
    return visit;
  };
  return {
    arrive,
    async visit(assistant, path = "/", options = {}) {
      const visit = await arrive(assistant, options);
      await visit.page.goto(await assistant.link());
      await visit.page.getByRole("textbox", { name: "Message" }).waitFor();
      if (path !== "/") await visit.page.goto(`${assistant.origin}${path}`);
      return visit;
    },
    async leave() {
      const left = visits.splice(0);
      const problems = left.flatMap((visit) => visit.problems);
      await Promise.all(left.map((visit) => visit.context.close()));
      return problems;
    },
  };
}

// written as text, because it runs in the page
const tellOfPolicy = `addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));`;

async function watchedVisit(context: BrowserContext, home: string): Promise<Visit> {
  const problems: string[] = [];
  const expected: RegExp[] = [];
  const report = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) report(`console: ${message.text()} ${message.location().url}`);
  });
  context.on("weberror", (error) => report(`page: ${error.error().stack ?? error.error()}`));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = protocol === "data:" || protocol === "blob:" || origin === home;
    if (!isOwn) report(`request: ${request.url()}`);
  });
  await context.addInitScript({ content: tellOfPolicy });
  const page = await context.newPage();
  return { page, context, problems, expectProblem: (pattern) => void expected.push(pattern) };
}

/** Evaluated in the page: whether everything that was asked for has come. */
export const isLoaded = `(() => {
  const isBusy = (root) => [...root.querySelectorAll("*")].some((one) =>
    one.getAttribute("aria-busy") === "true" || (one.shadowRoot && isBusy(one.shadowRoot)));
  return !isBusy(document);
})()`;

type ShownNode = {
  nodeType: number;
  data?: string;
  localName?: string;
  shadowRoot?: ShownNode | null;
  childNodes: Iterable<ShownNode>;
  checkVisibility?(): boolean;
};

/** Everything a person can read there, on one line; Playwright's own reading leaves out what lies in shadow roots. */
export function shownText(place: Locator): Promise<string> {
  return place.evaluate((root: ShownNode) => {
    const words: string[] = [];
    const walk = (node: ShownNode) => {
      if (node.nodeType === 3) words.push(node.data ?? "");
      if (node.nodeType !== 1 || node.localName === "style" || !node.checkVisibility?.()) return;
      for (const child of (node.shadowRoot ?? node).childNodes) walk(child);
      words.push(" ");
    };
    walk(root);
    return words.join("").replace(/\s+/g, " ");
  });
}
