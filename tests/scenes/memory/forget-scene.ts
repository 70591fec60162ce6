// An assistant that forgets: the real store, files and rooms, and the methods of notes and of forgetting on top.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Base } from "../../../src/assistant.ts";
import { orIfMissing } from "../../../src/contract/failure.ts";
import type { RoomDefinition } from "../../../src/contract/room/room.ts";
import { serveLazily } from "../../../src/contract/room/room-methods.ts";
import { memoryMethods } from "../../../src/contract/wire/methods/memory.ts";
import { noteMethods } from "../../../src/contract/wire/methods/notes.ts";
import { activityRoom } from "../../../src/gateway/methods/methods-rooms.ts";
import { type OpenForgetting, openForgetting } from "../../../src/memory/forget/open-forgetting.ts";
import { serveMentions, serveNotes } from "../../../src/memory/notes/note-methods.ts";
import { openNotes } from "../../../src/memory/notes/open-notes.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { readCursor } from "../../../src/store/tables/cursors.ts";
import { filesRoom } from "../../../src/tools/files/files-room.ts";
import { forgetRoom } from "../../../src/tools/forget/forget-room.ts";
import { undoRoom } from "../../../src/tools/undo/undo-room.ts";
import { type AssistantOptions, openAssistant } from "../assistant.ts";
import { scriptedModel } from "../scripted-model.ts";

export type ForgetSceneOptions = Partial<AssistantOptions> & NotesOptions;
type NotesOptions = {
  extraPaths?: readonly string[];
  /** How the index is brought up to date after something has left its files. */
  catchUpIndex?: () => Promise<boolean>;
};

function forgetRooms(options: NotesOptions): readonly RoomDefinition<Base>[] {
  return [filesRoom, activityRoom, undoRoom, forgetRoom, notesRoom(options)];
}

export async function forgetScene({ extraPaths, catchUpIndex, ...options }: ForgetSceneOptions = {}) {
  const assistant = await openAssistant({
    model: scriptedModel(() => ({ text: "Noted." })),
    rooms: forgetRooms({ ...(extraPaths && { extraPaths }), ...(catchUpIndex && { catchUpIndex }) }),
    ...options,
  });
  onTestFinished(() => assistant.close());
  return assistant;
}

function notesRoom({ extraPaths = [], catchUpIndex = async () => true }: NotesOptions): RoomDefinition<Base> {
  return {
    name: "notes of the test",
    async open({ home, workspace, store, fileChanges, ledger, world, trouble, outputs }) {
      const places = { home, workspace, ...store, ...ledger, texts: fileChanges.ownTexts };
      const versions = fileChanges.checkpoints;
      const forgetting: OpenForgetting = openForgetting({
        ...places,
        versions,
        extraPaths,
        newId: world.newId,
        catchUpIndex,
        wholeOutput: async (conversation, handle) =>
          (await outputs.read(conversation, handle, { offset: 0, limit: 10_000_000 }))?.text,
      });
      const notes = openNotes({ ...places, versions, extraPaths: [] });
      store.log.subscribe((events) => {
        for (const event of events) if (event.type === "turn.finished") void forgetting.afterTurn(event.turn);
      });
      const { "memory.mentions": mentions } = memoryMethods;
      return {
        methods: {
          ...serveLazily(noteMethods, async () => serveNotes({ notes, forgetting })),
          ...serveLazily({ "memory.mentions": mentions }, async () => serveMentions(forgetting)),
        },
        async start() {
          for (const problem of await forgetting.goOn()) trouble(problem, undefined);
        },
      };
    },
  };
}

/** Every file below the folder whose bytes hold the word, as text or in the other spellings of our files. */
export async function filesWith(word: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  const spellings = [
    Buffer.from(word),
    Buffer.from(word, "utf16le"),
    Buffer.from(Buffer.from(word).toString("base64")),
  ];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // the file beside another that is about to take its place may be gone by now
    const bytes = await readFile(path).catch(orIfMissing(Buffer.alloc(0)));
    if (spellings.some((spelling) => bytes.includes(spelling))) found.push(path.slice(folder.length + 1));
  }
  return found.sort();
}

type Assistant = Awaited<ReturnType<typeof forgetScene>>;

export async function auditProblems({ home, store }: Pick<Assistant, "home" | "store">): Promise<readonly string[]> {
  await store.flush();
  return (await verifyAudit(join(home, "audit"), (await readCursor(store.database, "audit log")).detail)).problems;
}
