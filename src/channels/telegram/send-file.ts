import type { OutgoingFile, RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import { type BotApi, patient } from "./bot-api.ts";
import { isRefusedAs } from "./read-fault.ts";
import { type Keyboard, type Marked, markedOrPlain, type Place } from "./request-fields.ts";

type FileMessage = { file: OutgoingFile; caption: RenderedPiece | undefined; extra: Place & Keyboard };

const pictures = new Set(["image/jpeg", "image/png", "image/webp"]);
const maxPhotoBytes = 10 * 1024 * 1024;

/** A picture is shown as one where Telegram can, else it is a file like any other. */
export async function sendFile(api: BotApi, message: FileMessage, signal: AbortSignal): Promise<unknown> {
  const { file } = message;
  const isPicture = pictures.has(file.mediaType) && file.data.byteLength <= maxPhotoBytes;
  if (!isPicture) return sendAs(api, "document", message, signal);
  try {
    return await sendAs(api, "photo", message, signal);
  } catch (cause) {
    // too many pixels, too long and thin, or no picture at all in spite of its name
    if (!isRefusedAs(cause, /photo|image|wrong file|failed to get/i)) throw cause;
    return sendAs(api, "document", message, signal);
  }
}

async function sendAs(api: BotApi, kind: "photo" | "document", message: FileMessage, signal: AbortSignal) {
  const { file, caption, extra } = message;
  return caption ? markedOrPlain(caption, send) : send(undefined);

  function send(marked: Marked | undefined): Promise<unknown> {
    const mode = marked?.parse_mode === undefined ? {} : { parse_mode: marked.parse_mode };
    const words = marked === undefined ? {} : { caption: marked.text, ...mode };
    // one that was read cannot be read again
    const upload = api.inputFile(file.data, plainName(file.name));
    return kind === "photo"
      ? api.uploads.sendPhoto({ ...extra, ...words, photo: upload }, patient(signal))
      : api.uploads.sendDocument({ ...extra, ...words, document: upload }, patient(signal));
  }
}

/** The name goes into a header without quotes, so it must not end one. */
function plainName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must go
  return name.replace(/[\u0000-\u001f\u007f"\\/;]/g, "_").slice(0, 200) || "file";
}
