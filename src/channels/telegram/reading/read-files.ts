import type { IncomingFile } from "../../../contract/channel/incoming-update.ts";
import type { Message, NamedFile } from "./update-shapes.ts";

type Kind = { name: string; ending: string; mediaType: string };

/** Nothing is loaded before somebody reads it. */
export function readFiles(
  readFile: (fileId: string) => IncomingFile["read"],
  message: Message,
): readonly IncomingFile[] {
  const { message_id: number, photo, document, audio, voice, video, video_note: videoNote } = message;
  // the same picture in several sizes
  const largest = photo?.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
  return [
    ...of(largest && { ...largest, file_name: undefined, mime_type: undefined }, picture),
    ...of(document, { name: "file", ending: "bin", mediaType: "application/octet-stream" }),
    ...of(audio, { name: "audio", ending: "mp3", mediaType: "audio/mpeg" }),
    ...of(voice, { name: "voice", ending: "ogg", mediaType: "audio/ogg" }).map((file) => ({ ...file, isVoice: true })),
    ...of(video, film),
    ...of(videoNote, { ...film, name: "video-note" }),
  ];

  function of(file: NamedFile | undefined, { name, ending, mediaType }: Kind): readonly IncomingFile[] {
    if (!file) return [];
    return [
      {
        name: file.file_name ?? `${name}-${number}.${ending}`,
        mediaType: file.mime_type ?? mediaType,
        bytes: file.file_size,
        read: readFile(file.file_id),
      },
    ];
  }
}

const picture = { name: "photo", ending: "jpg", mediaType: "image/jpeg" };
const film = { name: "video", ending: "mp4", mediaType: "video/mp4" };
