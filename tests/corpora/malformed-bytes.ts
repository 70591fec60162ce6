// Bytes that only look like HTTP or like a WebSocket, as scanners, broken proxies and smugglers send them.
import type { Dice } from "./malformed-json.ts";

const ending = "\r\n\r\n";

/** Each of them must be refused or cut off. */
export function malformedRequests(port: number, token: string): readonly string[] {
  const own = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}`;
  const json = "Content-Type: application/json";
  const post = `POST /api/tasks HTTP/1.1\r\n${own}\r\n${json}`;
  const get = `GET /health HTTP/1.1\r\n${own}`;
  const body = '{"prompt":"smuggled"}';
  return [
    `${post}\r\nContent-Length: 5\r\nContent-Length: 21${ending}${body}`,
    `${post}\r\nContent-Length: 21, 21${ending}${body}`,
    `${post}\r\nContent-Length: 21\r\nTransfer-Encoding: chunked${ending}0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked\r\nContent-Length: 3${ending}15\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: xchunked${ending}15\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked, identity${ending}15\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding:\u000bchunked${ending}15\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}zz\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}-1\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}ffffffffffffffffff\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}2\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}15;${"x".repeat(20_000)}\r\n${body}\r\n0${ending}`,
    `${post}\r\nTransfer-Encoding: chunked${ending}15\r\n{"prompt":`,
    `${post}\r\nContent-Length: -1${ending}${body}`,
    `${post}\r\nContent-Length: +21${ending}${body}`,
    `${post}\r\nContent-Length: 0x15${ending}${body}`,
    `${post}\r\nContent-Length: 99999999999999999999${ending}${body}`,
    `${post}\r\nContent-Length: 900000000${ending}${body}`,
    `${post}\r\nContent-Length: 500${ending}${body}`,
    `${post}\r\nContent-Length : 21${ending}${body}`,
    `${post}\r\n Content-Length: 21${ending}${body}`,
    `${post}\r\nContent-Length: 2${ending}{}GET / HTTP/9.9${ending}`,
    `${get}\r\nHost: evil.example${ending}`,
    `GET /health HTTP/1.1${ending}`,
    `GET /health HTTP/1.1\r\nHost: ${ending}`,
    `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\0b${ending}`,
    `GET /health HTTP/1.1\nHost 127.0.0.1:${port}\n\n`,
    `${get}\r\nX${"y".repeat(20_000)}: 1${ending}`,
    `${get}\r\nX: ${"y".repeat(70_000)}${ending}`,
    `${get}\r\n${Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1`).join("\r\n")}${ending}`,
    `${get}\r\n: empty${ending}`,
    `${get}\r\nBad Name: 1${ending}`,
    `${get}\r\nX: 1\rY: 2${ending}`,
    `GET /${"a".repeat(9_000)} HTTP/1.1\r\n${own}${ending}`,
    `GET /${"a".repeat(40_000)} HTTP/1.1\r\n${own}${ending}`,
    ...[
      "health",
      "//health",
      "http://evil.example/health",
      "*",
      "/../health",
      "/health#x",
      "/\\health",
      "/a\tb",
      "/\xff",
    ].map((target) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}${ending}`),
    ...["HTTP/3.0", "HTTP/1.1.1", "HTTPS/1.1", "http/1.1", "HTTP/1.x", ""].map(
      (version) => `GET /health ${version}\r\n${own}${ending}`,
    ),
    ...["get", "G ET", "\0GET", "{", "GETGETGET", "CONNECT"].map(
      (method) => `${method} /none HTTP/1.1\r\n${own}${ending}`,
    ),
    `CONNECT evil.example:443 HTTP/1.1\r\n${own}${ending}`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "SSH-2.0-OpenSSH_9.9\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "EHLO evil.example\r\nMAIL FROM:<a@evil.example>\r\n",
    "\r\n\r\n\r\nnonsense\r\n\r\n",
    `${get}${ending}nonsense that is pipelined${ending}`,
    `${get}${ending}${get}${ending}\0\0\0\0`,
    ...malformedUpgrades(port),
  ];
}

function malformedUpgrades(port: number): readonly string[] {
  const sound: Readonly<Record<string, string>> = {
    Host: `127.0.0.1:${port}`,
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
  };
  const text = (line: string, change: Readonly<Record<string, string>>) =>
    [line, ...Object.entries({ ...sound, ...change }).map(([name, value]) => `${name}: ${value}`)].join("\r\n") +
    ending;
  const open = "GET /ws HTTP/1.1";
  return [
    text("GET /none HTTP/1.1", {}),
    text("GET /api/events HTTP/1.1", {}),
    text("POST /ws HTTP/1.1", {}),
    text("GET /ws?token=x HTTP/2.1", {}),
    text(open, { Origin: "https://evil.example" }),
    text(open, { Host: "evil.example" }),
    text(open, { "Sec-WebSocket-Version": "99" }),
    text(open, { "Sec-WebSocket-Version": "" }),
    text(open, { "Sec-WebSocket-Key": "short" }),
    text(open, { "Sec-WebSocket-Key": "" }),
    text(open, { "Sec-WebSocket-Protocol": "a,,b" }),
    text(open, { "Sec-Fetch-Site": "cross-site" }),
  ];
}

/** A request that would be answered by 404, with some of its bytes changed, gone, doubled or in another place. */
export function damagedRequest(dice: Dice, port: number, token: string): Buffer {
  const lines = [
    "POST /api/tasks/none/cancel HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Content-Length: 15",
    "",
    '{"none":"none"}',
  ];
  const bytes = Buffer.from(lines.join("\r\n"), "latin1");
  for (let change = 0; change <= dice.below(4); change++) bytes[dice.below(bytes.length)] = dice.below(256);
  const place = dice.below(bytes.length);
  const kind = dice.below(4);
  if (kind === 0) return bytes.subarray(0, place);
  if (kind === 1) return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + dice.below(8))]);
  return kind === 2 ? Buffer.concat([bytes.subarray(0, place), bytes.subarray(dice.below(place + 1))]) : bytes;
}

type FrameShape = { first: number; payload?: Buffer; masked?: boolean; length?: Buffer };

/** A frame of a client as RFC 6455 draws it, or with any part of it wrong. */
export function webSocketFrame({ first, payload = Buffer.alloc(0), masked = true, length }: FrameShape): Buffer {
  const short = payload.length < 126;
  const own = short ? Buffer.from([payload.length]) : Buffer.from([126, payload.length >> 8, payload.length & 255]);
  const size = Buffer.from(length ?? own);
  if (!masked) return Buffer.concat([Buffer.from([first]), size, payload]);
  size[0] = (size[0] ?? 0) | 128;
  const mask = Buffer.from([1, 2, 3, 4]);
  const hidden = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([Buffer.from([first]), size, mask, hidden]);
}

const [text, fin, close, ping] = [1, 128, 8, 9];
const hello = Buffer.from('{"id":"1","method":"health.check"}');

/** Each of them breaks the protocol, so that whoever sends it is hung up on. */
export const brokenFrames: readonly Buffer[] = [
  webSocketFrame({ first: fin | text, payload: hello, masked: false }),
  ...[16, 32, 64, 112].map((reserved) => webSocketFrame({ first: fin | reserved | text, payload: hello })),
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((unknown) => webSocketFrame({ first: fin | unknown, payload: hello })),
  webSocketFrame({ first: ping }),
  webSocketFrame({ first: close }),
  webSocketFrame({ first: fin | ping, payload: Buffer.alloc(126) }),
  webSocketFrame({ first: fin, payload: hello }),
  Buffer.concat([webSocketFrame({ first: text, payload: hello }), webSocketFrame({ first: text, payload: hello })]),
  webSocketFrame({ first: fin | text, payload: Buffer.from([0xff, 0xfe]) }),
  webSocketFrame({ first: fin | text, payload: Buffer.from([0xed, 0xa0, 0x80]) }),
  webSocketFrame({ first: fin | close, payload: Buffer.from([3]) }),
  ...[0, 999, 1004, 1005, 1006, 1015, 5000].map((code) =>
    webSocketFrame({ first: fin | close, payload: Buffer.from([code >> 8, code & 255]) }),
  ),
  webSocketFrame({ first: fin | close, payload: Buffer.from([3, 232, 0xff]) }),
  webSocketFrame({ first: fin | text, length: Buffer.from([127, 255, 255, 255, 255, 255, 255, 255, 255]) }),
  webSocketFrame({ first: fin | text, length: Buffer.from([127, 0, 0, 0, 0, 127, 0, 0, 0]) }),
  webSocketFrame({ first: fin | text, length: Buffer.from([127, 0, 32, 0, 0, 0, 0, 0, 0]) }),
];
