// The browser tools in front of the fake site, with the guard's own address check and an exception for the site alone.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BoundCall, Tool, ToolResult } from "../../../src/contract/tool.ts";
import { checkUrl } from "../../../src/guard/address/check-url.ts";
import { resolveChecked } from "../../../src/guard/address/resolve-checked.ts";
import type { BrowserLimits } from "../../../src/tools/browser/browser-limits.ts";
import { browserTools } from "../../../src/tools/browser/browser-tools.ts";
import type { CheckAddress } from "../../../src/tools/proxy/reach-checked.ts";
import { type BrowserPages, startBrowserPages } from "../../fakes/pages/browser-pages.ts";

export type BrowserScene = {
  pages: BrowserPages;
  workspace: string;
  /** The data folder and the folder for what is thrown away. */
  folders: { folder: string; temporaryFolder: string };
  troubles: readonly string[];
  tools: readonly Tool[];
  bind(tool: string, args: unknown): BoundCall;
  look(args: Record<string, unknown>, how?: How): Promise<ToolResult>;
  act(page: string, steps: readonly Record<string, unknown>[], how?: How): Promise<ToolResult>;
  /** The tools as after a restart of Steward, on the same folders. */
  restart(): Promise<void>;
  close(): Promise<void>;
};
export type How = { conversation?: string; signal?: AbortSignal };

export type SceneOptions = {
  limits?: Partial<BrowserLimits>;
  programFolders?: readonly string[];
  /** In place of: every name ending in .test is the site. */
  resolve?(name: string): readonly string[];
};

const signalForNobody = new AbortController().signal;

export async function openBrowserScene(options: SceneOptions = {}): Promise<BrowserScene> {
  const pages = await startBrowserPages();
  const base = await mkdtemp(join(tmpdir(), "browser-scene-"));
  const folders = { folder: join(base, "browser"), temporaryFolder: tmpdir() };
  const workspace = join(base, "workspace");
  await mkdir(workspace);
  const troubles: string[] = [];
  let opened = openTools();
  return { pages, workspace, folders, troubles, tools: opened.tools, bind, look, act, restart, close };

  function openTools() {
    return browserTools({
      ...folders,
      checkAddress: addressCheck(
        pages.port,
        options.resolve ?? ((name) => (name.endsWith(".test") ? ["127.0.0.1"] : [])),
      ),
      nowMs: () => Date.now(),
      onTrouble: (message, cause) => troubles.push(`${message}: ${cause}`),
      limits: { loadMs: 1_500, ...options.limits },
      ...(options.programFolders && { programFolders: options.programFolders }),
    });
  }

  function bind(name: string, args: unknown): BoundCall {
    const bound = opened.tools.find((tool) => tool.name === name)?.bind(args);
    if (!bound?.ok) throw new Error(bound ? bound.message : `there is no tool ${name}`);
    return bound.call;
  }

  function run(
    call: BoundCall,
    { conversation = "terminal--one", signal = signalForNobody }: How,
  ): Promise<ToolResult> {
    return call.run({
      conversation,
      turn: "t1",
      callId: "k1",
      asker: { kind: "owner", id: "owner" } as const,
      workspace,
      signal,
      progress: () => {},
    });
  }

  function look(args: Record<string, unknown>, how: How = {}): Promise<ToolResult> {
    return run(bind("browser", args), how);
  }

  function act(page: string, steps: readonly Record<string, unknown>[], how: How = {}): Promise<ToolResult> {
    return run(bind("browser_act", { page, steps }), how);
  }

  async function restart(): Promise<void> {
    await opened.close();
    opened = openTools();
  }

  async function close(): Promise<void> {
    await opened.close();
    await pages.close();
    await rm(base, { recursive: true, force: true });
  }
}

function addressCheck(port: number, resolve: (name: string) => readonly string[]): CheckAddress {
  const allowAddress = (address: string, wanted: number) => address === "127.0.0.1" && wanted === port;
  return async (url, signal) => {
    const accepted = checkUrl(url, { allowAddress });
    if (accepted.kind === "refused") return { ok: false, reason: accepted.reason };
    const deps = { resolve: async (name: string) => resolve(name), allowAddress };
    const checked = await resolveChecked(deps, { ...accepted, signal });
    return checked.kind === "checked"
      ? { ok: true, addresses: checked.addresses }
      : { ok: false, reason: checked.reason };
  };
}

/** The reference of an element in an answer, as the model would read it. */
export function lineOf(result: ToolResult, start: string): string {
  const line = result.output.split("\n").find((each) => each.trim().startsWith(start));
  if (line === undefined) throw new Error(`there is no line ${start} in:\n${result.output}`);
  return line.trim();
}
