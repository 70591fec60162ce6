// Of TLS only what a stranger can read on the way: the name of the server in the first message (SNI, RFC 6066).

const handshake = 0x16;
const serverNameExtension = 0;
// record and handshake headers, version, random
const fixedBytes = 5 + 4 + 2 + 32;

/** The server that a first message of TLS asks for; undefined when it is something else. */
export function askedServer(bytes: Buffer): string | undefined {
  if (bytes[0] !== handshake || bytes.length < fixedBytes + 8) return undefined;
  let at = fixedBytes;
  at += 1 + bytes.readUInt8(at); // session
  at += 2 + bytes.readUInt16BE(at); // ciphers
  at += 1 + bytes.readUInt8(at); // compressions
  at += 2;
  while (at + 4 <= bytes.length) {
    const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    // the list's length, the kind of name and the name's length stand before it
    if (type === serverNameExtension) return bytes.toString("latin1", at + 9, at + 4 + length);
    at += 4 + length;
  }
  return undefined;
}
