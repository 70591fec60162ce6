// Files that come with a message: kept for the conversation, laid into its workspace, and voice turned into words if there is a program for it.
import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { AttachmentRef } from "../../contract/attachment.ts";
import type { IncomingFile } from "../../contract/channel/incoming-update.ts";
import { codeOf, reasonOf } from "../../contract/failure.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import type { ChannelsDeps } from "../channels-deps.ts";

export type KeptFiles = {
  attachments: readonly AttachmentRef[];
  /** What was spoken. */
  heard: readonly string[];
  /** For the model and the person: where they lie, and what could not be kept. Names in them are somebody's own choice. */
  remarks: readonly string[];
};

type KeepDeps = Pick<ChannelsDeps, "store" | "settings" | "reachOf" | "world">;

const mostBytes = 20 * 1024 * 1024;
const mostFiles = 20;
const readMs = 60_000;
const transcribeMs = 120_000;
const folderName = "incoming";

export async function keepFiles(
  deps: KeepDeps,
  conversation: string,
  files: readonly IncomingFile[],
): Promise<KeptFiles> {
  const attachments: AttachmentRef[] = [];
  const heard: string[] = [];
  const remarks: string[] = [];
  for (const file of files.slice(0, mostFiles)) {
    const shown = visibleLine(file.name, 120);
    try {
      if ((file.bytes ?? 0) > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
      const data = await file.read(AbortSignal.timeout(readMs));
      if (data.length > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 / 1024} MB`);
      const name = safeName(file.name);
      attachments.push(await deps.store.attachments.add({ name, mediaType: file.mediaType, data }));
      if (file.isVoice) remarks.push(...(await hear(deps, name, data, heard)));
      else remarks.push(await layDown(deps, conversation, name, data));
    } catch (cause) {
      // the words that came with it are kept in any case
      remarks.push(`[${shown} could not be kept: ${visibleLine(reasonOf(cause), 200)}]`);
    }
  }
  if (files.length > mostFiles) remarks.push(`[${files.length - mostFiles} more files were left out]`);
  return { attachments, heard, remarks };
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
  { settings }: KeepDeps,
  name: string,
  data: Uint8Array,
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
    const words = await run(
      program,
      args.map((word) => word.replaceAll("{file}", path)),
    );
    if (words.trim() === "") return ["[a voice message in which nothing was heard]"];
    heard.push(`[voice] ${words.trim()}`);
    return [];
  } catch (cause) {
    return [`[a voice message that could not be turned into text: ${visibleLine(reasonOf(cause), 200)}]`];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const mostHeard = 100_000;

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], timeout: transcribeMs });
    let output = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece: string) => {
      if (output.length < mostHeard) output += piece;
    });
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code ?? "a signal"}`)),
    );
  });
}
