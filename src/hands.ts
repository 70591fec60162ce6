// The wiring of everything the agent can do on the machine and the web; assistant.ts hands the list to the turn.
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelProvider } from "./contract/model.ts";
import type { Settings } from "./contract/settings.ts";
import type { Tool } from "./contract/tool.ts";
import type { World } from "./contract/world.ts";
import { fetchGuarded, resolveGuarded, resolveUrlGuarded } from "./guard/address/guarded-network.ts";
import { openQuarantinedReader } from "./guard/quarantined-reader.ts";
import { whyKeep } from "./guard/rules.ts";
import type { Store } from "./store/open-store.ts";
import { fileLabels } from "./store/tables/current-state.ts";
import { browserTools } from "./tools/browser/browser-tools.ts";
import { extractTool } from "./tools/extract/extract-tool.ts";
import { fileTools } from "./tools/files/file-tools.ts";
import { removeLeftovers } from "./tools/files/remove-leftovers.ts";
import { messageTools } from "./tools/messages/message-tools.ts";
import { openOutputStore } from "./tools/outputs/output-store.ts";
import { openPathLocks } from "./tools/paths/path-locks.ts";
import { openCommands } from "./tools/shell/open-commands.ts";
import type { FinishedProcess } from "./tools/shell/process-registry.ts";
import { openCheckpointFiles } from "./tools/undo/checkpoint-files.ts";
import { undoChanges } from "./tools/undo/undo-changes.ts";
import { searchAddressException } from "./tools/web/search/search-settings.ts";
import { webTools } from "./tools/web/web-tools.ts";

const keptForUndoMs = 30 * 86_400_000;

export type HandsDeps = {
  home: string;
  settings: Settings;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
  socketPath: string;
  world: World;
  workspace: string;
  store: Store;
  models: ModelProvider;
  redact(text: string): string;
  onTrouble(message: string, cause: unknown): void;
  onProcessFinished(finished: FinishedProcess): Promise<void>;
};

export async function openHands(deps: HandsDeps) {
  const { home, settings, environment, world, workspace, store, onTrouble } = deps;
  await removeLeftovers(world, workspace);
  const checkpoints = openCheckpointFiles({ folder: join(home, "data", "checkpoints"), nowMs: world.nowMs });
  await checkpoints.removeOld(world.nowMs() - keptForUndoMs);
  const locks = openPathLocks();
  const outputs = openOutputStore({ folder: join(home, "data", "outputs"), nowMs: world.nowMs });
  const commands = openCommands({
    settings: settings.sandbox,
    home,
    userHome: homedir(),
    workspace,
    socketPath: `${deps.socketPath}.out`,
    environment,
    resolveChecked: resolveGuarded,
    onTrouble,
    world,
    background: {
      firstNumber: store.log.lastSeq() + 1,
      labelsOfFiles: () => fileLabels(store.database),
      onFinished: deps.onProcessFinished,
    },
  });
  const web = webTools({
    version: deps.version,
    fetchPage: (request) => fetchGuarded(undefined, request),
    fetchSearch: (request) => fetchGuarded(searchAddressException(settings.search), request),
    world,
    search: settings.search,
    readKey: async (name) => environment[name],
  });
  const browser = browserTools({
    folder: join(home, "data", "browser"),
    temporaryFolder: tmpdir(),
    checkAddress: resolveUrlGuarded,
    nowMs: world.nowMs,
    onTrouble,
  });
  const { maxOutputTokens } = settings.agent;
  const ownTools = [
    ...fileTools({ locks, checkpoints, outputs, whyKeep: (path) => whyKeep(path, workspace, commands.running()) }),
    ...web,
    ...browser.tools,
    ...messageTools({ ...store, redact: deps.redact }),
    extractTool({ read: openQuarantinedReader({ models: deps.models, maxOutputTokens }) }),
  ];
  return {
    outputs,
    describeCommands: commands.describe,
    tools: async (): Promise<readonly Tool[]> => [...ownTools, ...(await commands.tools())],
    undoChanges: (changes: Parameters<typeof undoChanges>[1]) =>
      undoChanges({ workspace, locks, checkpoints, signal: AbortSignal.timeout(60_000) }, changes),
    async close() {
      await browser.close();
      await commands.close();
    },
  };
}
