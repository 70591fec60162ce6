// The least that a follower needs to read: which events of the log have come, and where one frame ends.
import type { Followed } from "./followers.ts";

/** `seq`: 0 for what is live. `text`: only for a follower that records. */
export type Frame = { kind: "ready" } | { kind: "say"; bytes: Buffer } | { kind: "event"; seq: number; text: string };
export type Frames = { greeting: string; take(chunk: Buffer): readonly Frame[] };
export type FollowerPlace = Pick<Followed, "port" | "token" | "since"> & { records: boolean };

const endOfHead = "\r\n\r\n";
const endOfEvent = "\n\n";
const ping = 0x89;
// a client that does not answer is hung up on
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

export function openFrames(kind: Followed["kind"], place: FollowerPlace): Frames {
  return kind === "events" ? serverSentEvents(place) : webSocketFrames(place);
}

function serverSentEvents({ port, token, records }: FollowerPlace): Frames {
  const unread = openUnread();
  let inBody = false;
  return {
    greeting: `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}${endOfHead}`,
    take(chunk) {
      unread.add(chunk);
      if (!inBody) {
        const head = unread.takeThrough(unread.bytes().indexOf(endOfHead), endOfHead.length);
        if (!head) return [];
        if (!head.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(`A follower was refused: ${head}`);
        inBody = true;
        return [{ kind: "ready" }];
      }
      const whole = unread.takeThrough(unread.bytes().lastIndexOf(endOfEvent), endOfEvent.length);
      if (!whole) return [];
      return records ? eventsIn(whole.toString("latin1")) : numbersIn(whole);
    },
  };
}

// the sizes of HTTP's own chunks stand between the events; only what begins one counts
function eventsIn(text: string): Frame[] {
  return text.split(endOfEvent).flatMap((block) => {
    const begin = block.search(/(event|id|data): /);
    if (begin < 0 || !block.includes("data: ")) return [];
    return [{ kind: "event", seq: Number(/^id: (\d+)$/m.exec(block)?.[1] ?? 0), text: block.slice(begin) } as const];
  });
}

function numbersIn(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  const mark = "\nid: ";
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length))
    frames.push({ kind: "event", seq: numberAt(bytes, at + mark.length), text: "" });
  return frames;
}

function webSocketFrames({ port, token, since, records }: FollowerPlace): Frames {
  const headers = [`Host: 127.0.0.1:${port}`, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
  const auth = { type: "auth", token, events: "none" };
  const follow = { id: "follow", method: "events.follow", params: { since } };
  const unread = openUnread();
  let isOpen = false;
  return {
    greeting: `GET /ws HTTP/1.1\r\n${headers.join("\r\n")}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==${endOfHead}`,
    take(chunk) {
      unread.add(chunk);
      if (!isOpen) {
        if (!unread.takeThrough(unread.bytes().indexOf(endOfHead), endOfHead.length)) return [];
        isOpen = true;
        return [auth, follow].map((frame) => ({ kind: "say", bytes: maskedText(JSON.stringify(frame)) }));
      }
      const frames: Frame[] = [];
      for (let size = sizeOf(unread.bytes()); size; size = sizeOf(unread.bytes())) {
        const isPing = unread.bytes()[0] === ping;
        const payload = unread.takeThrough(0, size.head + size.payload)?.subarray(size.head);
        if (!payload) return frames;
        if (isPing) frames.push({ kind: "say", bytes: pong });
        else if (payload.indexOf('{"id":"follow"') === 0) frames.push({ kind: "ready" });
        else if (payload.indexOf('{"event"') === 0) frames.push(eventOf(payload, records));
      }
      return frames;
    },
  };
}

function eventOf(payload: Buffer, records: boolean): Frame {
  const at = payload.indexOf('"seq":');
  return {
    kind: "event",
    seq: at < 0 ? 0 : numberAt(payload, at + 6),
    text: records ? payload.toString("latin1") : "",
  };
}

function sizeOf(bytes: Buffer): { head: number; payload: number } | undefined {
  const short = bytes[1];
  if (short === undefined || (short === 126 && bytes.length < 4)) return undefined;
  if (short === 127) throw new Error("A frame of more than 64 KB came, which no event of this bench is.");
  return short < 126 ? { head: 2, payload: short } : { head: 4, payload: bytes.readUInt16BE(2) };
}

function maskedText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const size = bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, bytes.length >> 8, bytes.length & 255];
  // a mask of zeros changes nothing
  return Buffer.concat([Buffer.from([0x81, ...size, 0, 0, 0, 0]), bytes]);
}

function numberAt(bytes: Buffer, at: number): number {
  let value = 0;
  for (let place = at; (bytes[place] ?? 0) >= 48 && (bytes[place] ?? 0) <= 57; place++)
    value = value * 10 + (bytes[place] ?? 0) - 48;
  return value;
}

type Unread = {
  add(chunk: Buffer): void;
  bytes(): Buffer;
  /** Everything before this place and so many bytes behind it, if all of it is there. */
  takeThrough(at: number, length: number): Buffer | undefined;
};

function openUnread(): Unread {
  let bytes: Buffer = Buffer.alloc(0);
  return {
    add(chunk) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    },
    bytes: () => bytes,
    takeThrough(at, length) {
      if (at < 0 || bytes.length < at + length) return undefined;
      const taken = bytes.subarray(0, at + length);
      bytes = bytes.subarray(at + length);
      return taken;
    },
  };
}
