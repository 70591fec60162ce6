import { z } from "zod";

type Fetch = typeof globalThis.fetch;

/** Reports every byte that arrives (a server's keep-alive comments too, which the packages swallow) and may mend the body. */
export function watchFetch(fetch: Fetch, deps: { heard(): void; mendsChat: boolean }): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    deps.heard();
    if (!response.body) return response;
    if (!response.ok) return withoutRest(response.body, response);
    const isJson = response.headers.get("content-type")?.includes("application/json");
    if (deps.mendsChat && isJson) return asFailedResponse(await response.text(), response);
    const mend = deps.mendsChat ? openChatMender() : undefined;
    const body = watchBody(response.body, deps.heard, mend);
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

// what is told of a failure is a line; the packages would read whatever a server sends beside it
const longestComplaint = 64 * 1024;

async function withoutRest(body: ReadableStream<Uint8Array>, { status, headers }: Response): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece.subarray(0, longestComplaint - size));
    size += piece.byteLength;
    if (size >= longestComplaint) break;
  }
  return new Response(Buffer.concat(pieces), { status, headers });
}

type Mender = { add(bytes: Uint8Array): Uint8Array; end(): Uint8Array };

function watchBody(body: ReadableStream<Uint8Array>, heard: () => void, mender: Mender | undefined) {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // a pull that enqueues nothing is not followed by another one
        for (;;) {
          const { done, value } = await reader.read();
          if (!done) heard();
          const bytes = done ? mender?.end() : (mender?.add(value) ?? value);
          if (bytes && bytes.byteLength > 0) controller.enqueue(bytes);
          if (done) return controller.close();
          if (bytes && bytes.byteLength > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const newline = 10;

/** Works on whole lines, and only on those that hold a tool call's arguments. */
function openChatMender(): Mender {
  let pending = Buffer.alloc(0);
  return {
    add(bytes) {
      const all = Buffer.concat([pending, bytes]);
      const end = all.lastIndexOf(newline) + 1;
      pending = all.subarray(end);
      return mendLines(all.subarray(0, end));
    },
    end: () => mendLines(pending),
  };
}

function mendLines(bytes: Buffer): Uint8Array {
  if (!bytes.includes('"arguments"')) return bytes;
  const lines = bytes.toString("utf8").split("\n");
  return Buffer.from(lines.map((line) => (/"arguments"\s*:\s*[{[]/.test(line) ? mendLine(line) : line)).join("\n"));
}

const Call = z.looseObject({ function: z.looseObject({ arguments: z.unknown().optional() }) });
const Chunk = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ tool_calls: z.array(Call).nullish() }) })),
});

// some servers send arguments as an object where the protocol wants its text
function mendLine(line: string): string {
  const json = line.replace(/^data:\s*/, "").trim();
  try {
    const chunk = Chunk.parse(JSON.parse(json));
    for (const call of chunk.choices.flatMap(({ delta }) => delta.tool_calls ?? [])) {
      const value = call.function.arguments;
      if (typeof value === "object" && value !== null) call.function.arguments = JSON.stringify(value);
    }
    return `data: ${JSON.stringify(chunk)}`;
  } catch {
    // not what it looked like; the package reads the line as it is and reports what is wrong with it
    return line;
  }
}

const JsonError = z.object({ error: z.union([z.string(), z.object({ code: z.unknown().optional() })]) });

// a server that answers a stream request with a plain JSON error and status 200 is made to say so
function asFailedResponse(text: string, response: Response): Response {
  let status = response.status;
  try {
    const body = JsonError.safeParse(JSON.parse(text));
    const code = body.success && typeof body.data.error === "object" ? body.data.error.code : undefined;
    if (body.success) status = typeof code === "number" && code >= 400 && code <= 599 ? code : 400;
  } catch {
    // not JSON after all: the package finds no answer in it and the attempt counts as broken off
  }
  return new Response(text, { status, headers: response.headers });
}
