/** Bytes of a file as text that any provider accepts: bytes that are not UTF-8 and control characters become �. */
export function plainText(bytes: Uint8Array): string {
  return (
    new TextDecoder("utf-8")
      .decode(bytes)
      .replaceAll("\r\n", "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "\uFFFD")
      // tag characters are invisible to the owner and readable for a model: a way to hide instructions
      .replace(/[\u{E0000}-\u{E007F}]/gu, "")
  );
}
