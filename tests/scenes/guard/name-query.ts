// As much of DNS (RFC 1035) as a look-up of one name needs.

const headerBytes = 12;
const addressType = 1;

/** The name that a query asks for. */
export function askedName(query: Buffer): string {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return labels.join(".").toLowerCase();
}

/** Every name has an address, a public one that says nothing; other kinds of record do not exist. */
export function answerQuery(query: Buffer, name: string): Buffer {
  const questionEnd = headerBytes + Buffer.byteLength(name, "latin1") + (name === "" ? 1 : 2) + 4;
  const question = query.subarray(headerBytes, questionEnd);
  const hasAddress = question.readUInt16BE(question.length - 4) === addressType && name.includes(".");
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  // a pointer to the name, type A, class IN, no time to live, four bytes
  const record = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 93, 184, 216, 34]);
  return Buffer.concat(hasAddress ? [header, question, record] : [header, question]);
}
