// headers that say how the message is framed or where it goes: the transport alone writes them (request smuggling)
const reserved = new Set([
  ...["accept-encoding", "connection", "content-length", "expect", "host", "keep-alive"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
// no line break, which would begin another header (header injection)
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

type RequestHeaders = Readonly<Record<string, string>>;

/** Lower-cases the names, or says which header must not be sent. */
export function readHeaders(
  headers: RequestHeaders,
): { ok: true; headers: RequestHeaders } | { ok: false; reason: string } {
  const read = new Map<string, string>();
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase();
    if (!headerName.test(name)) return { ok: false, reason: `${JSON.stringify(written)} is not a header name` };
    // the value may be a secret, so it is never repeated
    if (!headerValue.test(value)) return { ok: false, reason: `the value of ${name} contains a forbidden character` };
    if (reserved.has(name) || name.startsWith("proxy-"))
      return { ok: false, reason: `${name} is not the caller's to set` };
    if (read.has(name)) return { ok: false, reason: `${name} is given twice` };
    read.set(name, value);
  }
  return { ok: true, headers: Object.fromEntries(read) };
}
