export type BodyKind = "html" | "json" | "text" | "pdf" | "binary";

const textTypes =
  /^(?:text\/|application\/(?:xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql|x-ndjson|ld\+json)$)|\+xml$/;
const jsonTypes = /^application\/json$|\+json$|^text\/json$/;
const sniffedBytes = 1_024;

/** What a body is, from what the server says and, where it says little, from the first bytes. */
export function bodyKind(contentType: string, body: Uint8Array): BodyKind {
  const type = mediaType(contentType);
  const head = new TextDecoder("windows-1252").decode(body.subarray(0, sniffedBytes));
  if (head.startsWith("%PDF-") || type === "application/pdf") return "pdf";
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  const isUnsaid = type === "" || type === "application/octet-stream" || type === "unknown/unknown";
  if (!isUnsaid && !textTypes.test(type) && !jsonTypes.test(type)) return "binary";
  // a NUL byte is in no text but UTF-16, and that begins with its mark
  if (head.includes("\0") && !/^(?:\xff\xfe|\xfe\xff)/.test(head)) return "binary";
  if (jsonTypes.test(type)) return "json";
  if (isUnsaid && /^\s*<(?:!doctype html|html|head|body)\b/i.test(head)) return "html";
  return "text";
}

export function mediaType(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

export function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? "";
}
