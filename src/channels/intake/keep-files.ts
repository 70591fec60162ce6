// Files that come with a message: kept for the conversation, laid into its workspace, and voice turned into words if there is a program for it.
import { constants } from "node:fs";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { AttachmentRef } from "../../contract/attachment.ts";
import type { IncomingFile } from "../../contract/channel/incoming-update.ts";
import { codeOf, reasonOf } from "../../contract/failure.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { ChannelsDeps } from "../channels-deps.ts";
import type { GroupQuota } from "./group-quota.ts";
import { transcribe } from "./transcribe.ts";
import type { WaitingLine } from "./waiting-line.ts";

export type KeptFiles = {
  attachments: readonly AttachmentRef[];
  /** What was spoken. */
  heard: readonly string[];
  /** For the model and the person: where they lie, and what could not be kept. Names in them are somebody's own choice. */
  remarks: readonly string[];
};

export type KeepDeps = Pick<ChannelsDeps, "store" | "settings" | "reachOf" | "world" | "ledger" | "sleep"> & {
  quota: GroupQuota;
  /** In which voices stand that nobody asked Steward to hear. */
  overhearing: WaitingLine;
  /** Whatever is still being listened to ends with Steward. */
  closing: AbortSignal;
};

/** Whether what is spoken is turned into words: at once for whoever speaks to Steward. */
export type Hearing = "at once" | "in turn" | "never";

const mostBytes = 20 * 1024 * 1024;
const mostFiles = 20;
const readMs = 60_000;
const pausesMs = [500, 2_000];
const folderName = "incoming";

export async function keepFiles(
  deps: KeepDeps,
  conversation: string,
  { files, hearing }: { files: readonly IncomingFile[]; hearing: Hearing },
): Promise<KeptFiles> {
  const attachments: AttachmentRef[] = [];
  const heard: string[] = [];
  const remarks: string[] = [];
  for (const file of files.slice(0, mostFiles)) {
    const shown = visibleLine(file.name, 120);
    try {
      const data = await readWithin(deps, conversation, file);
      const name = safeName(file.name);
      attachments.push(await deps.store.attachments.add({ name, mediaType: file.mediaType, data }));
      if (!file.isVoice) remarks.push(await layDown(deps, conversation, name, data));
      else if (hearing !== "never") remarks.push(...(await hear(deps, { name, data, hearing }, heard)));
    } catch (cause) {
      // not acknowledged, it comes again to the next process, which may hear it whole
      if (deps.closing.aborted) throw cause;
      // the words that came with it are kept in any case
      remarks.push(`[${shown} could not be kept: ${visibleLine(reasonOf(cause), 200)}]`);
    }
  }
  if (files.length > mostFiles) remarks.push(`[${files.length - mostFiles} more files were left out]`);
  return { attachments, heard, remarks };
}

/** Throws if it is larger than it may be, or than there is room for what members of its group send. */
async function readWithin(deps: KeepDeps, conversation: string, file: IncomingFile): Promise<Uint8Array> {
  const group = await deps.ledger.groupOf(conversation);
  const folder = group && join((await deps.reachOf(conversation)).workspace, folderName);
  await requireRoom(file.bytes ?? 0);
  const data = await readPatiently(deps, file, AbortSignal.timeout(readMs));
  await requireRoom(data.length);
  if (group) deps.quota.add(group.name, data.length);
  return data;

  async function requireRoom(bytes: number): Promise<void> {
    if (bytes > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
    const refusal = folder === undefined ? undefined : await deps.quota.refusal(group?.name ?? "", folder, bytes);
    if (refusal !== undefined) throw new Error(refusal);
  }
}

/** A platform that stumbles for a moment gives it a moment later; afterwards it is never asked again. */
async function readPatiently({ sleep }: KeepDeps, file: IncomingFile, signal: AbortSignal): Promise<Uint8Array> {
  for (const pauseMs of pausesMs) {
    try {
      return await file.read(signal);
    } catch {
      // the last try says what is wrong
      await sleep(pauseMs, signal);
    }
  }
  return file.read(signal);
}

/** Into a folder of its own, never over anything, and never through a link. */
async function layDown(deps: KeepDeps, conversation: string, name: string, data: Uint8Array): Promise<string> {
  const { workspace } = await deps.reachOf(conversation);
  const day = new Date(deps.world.nowMs()).toISOString().slice(0, 10);
  const folder = join(workspace, folderName);
  await mkdir(folder, { mode: 0o700 }).catch((cause) => {
    if (codeOf(cause) !== "EEXIST") throw cause;
  });
  // held open, so that no command can put a link in its place meanwhile
  const held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  // only Linux names a held folder; elsewhere no command runs beside Steward in it without a container
  const place = process.platform === "linux" ? `/proc/self/fd/${held.fd}` : folder;
  try {
    for (let number = 1; number < 1_000; number += 1) {
      const [stem, ending] = [name.slice(0, name.length - extname(name).length), extname(name)];
      const free = `${day}-${number === 1 ? name : `${stem}-${number}${ending}`}`;
      try {
        await writeFile(join(place, free), data, { flag: "wx", mode: 0o600 });
        return `[saved as ${folderName}/${free}]`;
      } catch (cause) {
        if (codeOf(cause) !== "EEXIST") throw cause;
        // a message that came again brings the same file again
        if (await holds(join(place, free), data)) return `[saved as ${folderName}/${free}]`;
      }
    }
    throw new Error("there are too many of this name");
  } finally {
    await held.close();
  }
}

/** Letters that mean something to a shell, a path or an eye are left out. */
function safeName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._ -]/gu, "_")
    .replace(/^[. ]+/, "")
    .trim();
  const ending = extname(plain).slice(0, 12);
  const stem = plain.slice(0, plain.length - extname(plain).length).slice(0, 80);
  return `${stem === "" ? "file" : stem}${ending}`;
}

/** A plain file with just these bytes; a link, a pipe or a device that a command has put there is not looked into. */
async function holds(path: string, data: Uint8Array): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  // what cannot be opened is something else
  if (!file) return false;
  try {
    const found = await file.stat();
    return found.isFile() && found.nlink === 1 && found.size === data.length && (await file.readFile()).equals(data);
  } finally {
    await file.close();
  }
}

/** Adds what was heard; answers with what is to be said about it. */
async function hear(
  { settings, overhearing, closing }: KeepDeps,
  { name, data, hearing }: { name: string; data: Uint8Array; hearing: Hearing },
  heard: string[],
): Promise<readonly string[]> {
  const [program, ...args] = settings.channels.transcribeCommand;
  if (program === undefined)
    return [
      "[a voice message: it cannot be understood here, since no program for it is set (channels.transcribeCommand)]",
    ];
  const folder = await mkdtemp(join(tmpdir(), "steward-voice-"));
  try {
    const path = join(folder, `voice${extname(name) || ".ogg"}`);
    await writeFile(path, data, { mode: 0o600 });
    const command = [program, ...args.map((word) => word.replaceAll("{file}", path))] as const;
    const listen = () => transcribe(command, closing);
    const words = await (hearing === "in turn" ? overhearing.run(listen) : listen());
    if (words.trim() === "") return ["[a voice message in which nothing was heard]"];
    heard.push(`[voice] ${words.trim()}`);
    return [];
  } catch (cause) {
    if (closing.aborted) throw cause;
    return [`[a voice message that could not be turned into text: ${visibleLine(reasonOf(cause), 200)}]`];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
