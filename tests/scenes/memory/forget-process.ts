// A process that forgets what it is told on standard input, and may die while it does: folder and workspace are its arguments.
import { text } from "node:stream/consumers";
import { realWorld } from "../../../src/contract/world.ts";
import { openForgetting } from "../../../src/memory/forget/open-forgetting.ts";
import type { NoteTexts } from "../../../src/memory/notes/note-files.ts";
import { openChannelLedger } from "../../../src/store/channels/ledger.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { forgetDeleted } from "../../../src/tools/forget/forget-deleted.ts";
import { openOutputStore } from "../../../src/tools/outputs/output-store.ts";
import { openFileChanges } from "../../../src/tools/undo/file-changes.ts";

const [home = "", workspace = "", dies = ""] = process.argv.slice(2);
const world = realWorld;
const redact = (words: string) => words;
const onTrouble = (message: string, cause: unknown) => {
  throw new Error(message, { cause });
};
const store = await openStore({ home, nowMs: world.nowMs, redact, onTrouble });
const fileChanges = openFileChanges({ home, world, whyKeep: () => undefined, redact });
const outputs = openOutputStore({ folder: `${home}/data/outputs`, nowMs: world.nowMs });
const forgetting = openForgetting({
  ...{
    home,
    workspace,
    ...store,
    ...openChannelLedger(store),
    newId: world.newId,
    extraPaths: [],
    wholeOutput: async () => undefined,
    async catchUpIndex() {
      if (dies === "before the index") process.kill(process.pid, "SIGKILL");
      return true;
    },
  },
  texts: dyingAt(fileChanges.ownTexts),
  versions: fileChanges.checkpoints,
});
await forgetting.forget({}, JSON.parse(await text(process.stdin)), { kind: "owner", id: "owner" });
const offered = { forget: async () => {}, catchUp: async () => {} };
await forgetDeleted({ home, world, store, offered, outputs, fileChanges });
await store.close();

function dyingAt(texts: NoteTexts): NoteTexts {
  return {
    read: texts.read,
    async replace(...replacement) {
      if (dies === "before the file") process.kill(process.pid, "SIGKILL");
      const replaced = await texts.replace(...replacement);
      if (dies === "after the file") process.kill(process.pid, "SIGKILL");
      return replaced;
    },
  };
}
