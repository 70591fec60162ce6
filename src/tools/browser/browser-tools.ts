// The browser tools: addresses and steps from the model come in, what the pages show and hand out goes out. Every connection
// goes through a proxy of ours that checks it, every conversation has cookies of its own.
import type { Tool } from "../../contract/tool.ts";
import type { CheckAddress } from "../proxy/reach-checked.ts";
import { actTool } from "./act-tool.ts";
import { type BrowserLimits, usualBrowserLimits } from "./browser-limits.ts";
import { lookTool } from "./look-tool.ts";
import { openBrowserProcess } from "./process/browser-process.ts";
import { openBrowserSessions } from "./session/browser-sessions.ts";
import { removeOldPages } from "./session/saved-pages.ts";

export type BrowserDeps = {
  /** Cookies between starts; ours alone and outside the workspace. */
  folder: string;
  /** Where the browser's throw-away folder is made. */
  temporaryFolder: string;
  checkAddress: CheckAddress;
  nowMs(): number;
  onTrouble(message: string, cause: unknown): void;
  limits?: Partial<BrowserLimits>;
  /** Where Chromium is looked for, if not in the system's own folders. */
  programFolders?: readonly string[];
};

/** Nothing is started before the first call; `close` saves the cookies and ends the browser. */
export function browserTools(deps: BrowserDeps): {
  tools: readonly Tool[];
  forget(conversation: string, throughMs: number): Promise<void>;
  close(): Promise<void>;
} {
  const limits = { ...usualBrowserLimits, ...deps.limits };
  const sessions = openBrowserSessions({ ...deps, limits, process: openBrowserProcess({ ...deps, limits }) });
  const tidied = removeOldPages(deps.folder, deps.nowMs()).catch((cause) => {
    deps.onTrouble("old cookies could not be removed", cause);
  });
  const used = { checkAddress: deps.checkAddress, limits, sessions };
  return {
    tools: [lookTool(used), actTool(used)],
    forget: sessions.forget,
    async close() {
      await tidied;
      await sessions.close();
    },
  };
}
