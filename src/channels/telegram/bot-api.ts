// Telegram's Bot API: grammY's typed calls, each with a time limit, and downloads. Nothing is repeated here.
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Api, InputFile } from "grammy";
import { z } from "zod";
import { Failure } from "../../contract/failure.ts";
import { fetchedBytes, TooLarge } from "../fetched-bytes.ts";
import { readFault } from "./read-fault.ts";
import type { Timings } from "./timings.ts";

type Calls = Api["raw"];

export type BotApi = {
  /** The same calls with the patience that each kind needs. */
  polls: Calls;
  calls: Calls;
  uploads: Calls;
  inputFile(data: Uint8Array, name: string): InputFile;
  download(fileId: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the connections that lie idle, which may be dead without anybody knowing; the next call opens a new one. */
  hangUp(): void;
  close(): void;
};

type BotApiOptions = { token: string; apiUrl: string; timings: Timings; onAnswer(): void };

const maxDownloadBytes = 20 * 1024 * 1024;
const tooBig = "Bots may not load files over 20 MB from Telegram. Ask for a smaller one or a link.";
const FileAnswer = z.object({ file_path: z.string(), file_size: z.number().optional() });

export async function openBotApi({ token, apiUrl, timings, onAnswer }: BotApiOptions): Promise<BotApi> {
  const grammy = await import("grammy");
  const apiRoot = apiUrl.replace(/\/+$/, "");
  const agent = new (apiRoot.startsWith("https:") ? HttpsAgent : HttpAgent)({ keepAlive: true });
  const calls = withPatience(timings.callSeconds);
  return {
    polls: withPatience(timings.pollSeconds + timings.pollGraceSeconds),
    calls,
    uploads: withPatience(timings.fileSeconds),
    inputFile: (data, name) => new grammy.InputFile(data, name),
    async download(fileId, signal) {
      const path = await findFile(fileId, signal);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timings.fileSeconds * 1000)]);
      return fetchFile(`${apiRoot}/file/bot${token}/${path.split("/").map(encodeURIComponent).join("/")}`, limit);
    },
    hangUp() {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
    close: () => agent.destroy(),
  };

  function withPatience(timeoutSeconds: number): Calls {
    const api = new grammy.Api(token, { apiRoot, timeoutSeconds, baseFetchConfig: { agent } });
    api.config.use(async (previous, method, payload, signal) => {
      const answer = await previous(method, payload, signal);
      onAnswer();
      return answer;
    });
    return api.raw;
  }

  async function findFile(fileId: string, signal: AbortSignal): Promise<string> {
    const answer = await calls.getFile({ file_id: fileId }, patient(signal)).catch((cause: unknown) => {
      const { words } = readFault(cause);
      throw new Failure(/file is too big/i.test(words) ? tooBig : `The file could not be loaded. ${words}`);
    });
    const file = FileAnswer.safeParse(answer);
    if (!file.success) throw new Failure("The file could not be loaded. Telegram's answer could not be read.");
    if ((file.data.file_size ?? 0) > maxDownloadBytes) throw new Failure(tooBig);
    return file.data.file_path;
  }
}

/** grammY's types know the signal of another library only; the platform's own one does the same. */
export function patient(signal: AbortSignal): Parameters<Calls["getMe"]>[0] {
  return signal as unknown as Parameters<Calls["getMe"]>[0];
}

// the address holds the token, so neither it nor an error that may name it leaves this function
async function fetchFile(address: string, signal: AbortSignal): Promise<Uint8Array> {
  let status: number;
  try {
    const answer = await fetch(address, { signal, redirect: "error" });
    status = answer.status;
    if (answer.ok) return await fetchedBytes(answer);
    await answer.body?.cancel();
  } catch (cause) {
    if (cause instanceof TooLarge) throw new Failure(tooBig);
    throw new Failure("The file could not be loaded from Telegram: the connection broke off or took too long.");
  }
  throw new Failure(`The file could not be loaded from Telegram: it answered with status ${status}.`);
}
