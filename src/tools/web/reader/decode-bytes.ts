const prescanBytes = 4096;

/** Text from bytes: a byte order mark says most, then the server, then the page itself, then what fits. */
export function decodeBytes(bytes: Uint8Array, declared: { charset: string; isHtml: boolean }): string {
  const label = markOf(bytes) ?? decoderFor(declared.charset) ?? (declared.isHtml ? metaCharset(bytes) : undefined);
  if (label) return new TextDecoder(label).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // undeclared and not UTF-8: older pages mean the Windows alphabet, which can read any byte
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return undefined;
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, prescanBytes));
  const named =
    /<meta[^>]{1,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(head)?.[1];
  const label = decoderFor(named ?? "");
  // whoever could read the declaration as single bytes was not reading UTF-16
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

function decoderFor(label: string): string | undefined {
  if (label === "") return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // a name nobody knows is no better than none
    return undefined;
  }
}
