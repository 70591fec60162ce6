// Files in both directions. Slack's token goes to Slack alone: an address in a message may have been chosen by its sender.
import { z } from "zod";
import type { IncomingFile } from "../../contract/channel/incoming-update.ts";
import type { OutgoingFile } from "../../contract/channel/outgoing-message.ts";
import { reasonOf } from "../../contract/failure.ts";
import { fetchedBytes } from "../fetched-bytes.ts";
import { SlackFailure } from "./connection/slack-failure.ts";
import type { CallSlack } from "./connection/web-api.ts";

const optional = z.string().nullish();
export const SlackFile = z.object({
  id: z.string().min(1),
  name: optional,
  title: optional,
  mimetype: optional,
  size: z.number().nonnegative().nullish(),
  subtype: optional,
  mode: optional,
  url_private_download: optional,
  url_private: optional,
});
export type SlackFile = z.infer<typeof SlackFile>;

export type FileDeps = { call: CallSlack; apiUrl: string; token: string; timeoutMs: number; closing: AbortSignal };

const FileAnswer = z.object({ file: SlackFile });

export function openFile(deps: FileDeps, file: SlackFile): IncomingFile {
  const mediaType = file.mimetype || "application/octet-stream";
  return {
    name: file.name || file.title || file.id,
    mediaType,
    bytes: file.size ?? undefined,
    ...(file.subtype === "slack_audio" && { isVoice: true }),
    read: (signal) => download(deps, file, signal),
  };
}

/** Whether it is Slack itself: the host of the Web API, or one of its own. */
export function isOwnAddress(apiUrl: string, address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === "https:" && url.port === "" && /(^|\.)slack\.com$/.test(url.hostname);
}

async function download(deps: FileDeps, file: SlackFile, signal: AbortSignal): Promise<Uint8Array> {
  const address =
    addressOf(file) ?? addressOf((await deps.call("files.info", { file: file.id }, FileAnswer, signal)).file);
  if (!address) throw new Error(`Slack gives no address for the file ${file.id}.`);
  if (!isOwnAddress(deps.apiUrl, address))
    throw new Error(`The file ${file.id} does not lie with Slack and is not fetched.`);
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${deps.token}` },
    redirect: "manual",
    signal: AbortSignal.any([signal, deps.closing, AbortSignal.timeout(deps.timeoutMs)]),
  });
  const isPage = response.headers.get("content-type")?.startsWith("text/html") && file.mimetype !== "text/html";
  if (response.status !== 200 || isPage) {
    await response.body?.cancel();
    const reason = isPage || response.status < 400 ? "the app needs the scope files:read" : `status ${response.status}`;
    throw new Error(`Slack does not give the file ${file.id}: ${reason}.`);
  }
  return fetchedBytes(response);
}

function addressOf(file: SlackFile): string | undefined {
  return file.url_private_download || file.url_private || undefined;
}

const UploadAnswer = z.object({ upload_url: z.string(), file_id: z.string().min(1) });

/** Gives Slack the bytes, which nobody sees yet: the id of the file. */
export async function upload(deps: FileDeps, file: OutgoingFile, signal: AbortSignal): Promise<string> {
  const asked = { filename: file.name, length: file.data.byteLength };
  const { upload_url: address, file_id } = await deps.call("files.getUploadURLExternal", asked, UploadAnswer, signal);
  if (!isOwnAddress(deps.apiUrl, address)) throw notUploaded("Slack named a host that is not its own", undefined);
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: Buffer.from(file.data),
    redirect: "error",
    signal: AbortSignal.any([signal, deps.closing, AbortSignal.timeout(deps.timeoutMs)]),
  }).catch((cause: unknown) => {
    throw notUploaded(reasonOf(cause), cause);
  });
  await response.body?.cancel();
  if (!response.ok) throw notUploaded(`status ${response.status}`, undefined);
  return file_id;
}

function notUploaded(reason: string, cause: unknown): SlackFailure {
  const how = { retry: "again", arrived: "no", cause } as const;
  return new SlackFailure("UPLOAD", `The file could not be given to Slack: ${reason}.`, how);
}
