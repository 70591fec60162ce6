// grammY writes headers without spaces and file names without quotes, which the platform's own reader of forms refuses.
export type UploadedFile = { name: string; data: Buffer };

export function readMultipart(contentType: string, body: Buffer) {
  const boundary = /boundary=([^;]+)/.exec(contentType)?.[1] ?? "";
  const fields: Record<string, string> = {};
  const files: Record<string, UploadedFile> = {};
  for (const part of partsOf(body, Buffer.from(`--${boundary}`))) {
    const end = part.indexOf("\r\n\r\n");
    const head = part.subarray(0, end).toString("utf8");
    const data = part.subarray(end + 4);
    const name = /name="?([^";\r\n]+)"?/i.exec(head)?.[1];
    const fileName = /filename="?([^"\r\n]+?)"?(?:;|\r\n|$)/i.exec(head)?.[1];
    if (name === undefined) throw new Error(`a part without a name: ${head}`);
    if (fileName === undefined) fields[name] = data.toString("utf8");
    else files[name] = { name: fileName, data };
  }
  return { fields, files };
}

function partsOf(body: Buffer, mark: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let start = body.indexOf(mark);
  for (;;) {
    const next = body.indexOf(mark, start + mark.length);
    if (start < 0 || next < 0) return parts;
    // a line break follows the mark, and another one stands before the next
    parts.push(body.subarray(start + mark.length + 2, next - 2));
    start = next;
  }
}
