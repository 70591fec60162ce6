export type FileKind =
  | { kind: "text" }
  | { kind: "image"; label: string; mediaType: string }
  | { kind: "binary"; label: string };

/** How much of a file's beginning is looked at. */
export const headBytes = 8192;

// the first bytes in hexadecimal
const kinds: readonly { label: string; magic: RegExp; mediaType?: string }[] = [
  { label: "PNG image", mediaType: "image/png", magic: /^89504e470d0a1a0a/ },
  { label: "JPEG image", mediaType: "image/jpeg", magic: /^ffd8ff/ },
  { label: "GIF image", mediaType: "image/gif", magic: /^47494638(?:37|39)61/ },
  { label: "WebP image", mediaType: "image/webp", magic: /^52494646.{8}57454250/ },
  { label: "PDF document", magic: /^255044462d/ },
  { label: "ZIP archive or office document", magic: /^504b(?:0304|0506)/ },
  { label: "gzip archive", magic: /^1f8b/ },
  { label: "bzip2 archive", magic: /^425a683[1-9]314159/ },
  { label: "xz archive", magic: /^fd377a585a00/ },
  { label: "Zstandard archive", magic: /^28b52ffd/ },
  { label: "ELF program", magic: /^7f454c46/ },
  { label: "SQLite database", magic: /^53514c69746520666f726d6174203300/ },
  { label: "UTF-16 text", magic: /^(?:fffe|feff)/ },
];

/** Told from the first bytes, never from the name. */
export function fileKind(head: Buffer): FileKind {
  const start = head.subarray(0, 16).toString("hex");
  const known = kinds.find(({ magic }) => magic.test(start));
  if (!known) return looksLikeText(head) ? { kind: "text" } : { kind: "binary", label: "unknown type" };
  const { label, mediaType } = known;
  return mediaType ? { kind: "image", label, mediaType } : { kind: "binary", label };
}

function looksLikeText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  const controls = head.filter(isUnusualInText).length;
  return controls <= head.length / 10;
}

// tab to carriage return lay text out, escape colours it
function isUnusualInText(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;
}
