// A page that shows a streamed answer in the plainest way there is, for comparison with ours.
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** whole: the whole text is read and put into the page with each piece. blocks: only the blocks that have changed are. */
export type PlainWay = "whole" | "blocks";

export type PlainPage = AsyncDisposable & { address(way: PlainWay): string };

const { resolve } = createRequire(import.meta.url);

/** `start`: the page asks for the pieces when its button is pressed. */
export async function startPlainPage(pieces: readonly string[], gapMs: number): Promise<PlainPage> {
  const marked = await readFile(join(dirname(resolve("marked")), "marked.umd.js"));
  const purify = await readFile(join(dirname(resolve("dompurify")), "purify.min.js"));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/pieces") void play(response);
    else if (pathname === "/marked.js") response.setHeader("content-type", "text/javascript").end(marked);
    else if (pathname === "/purify.js") response.setHeader("content-type", "text/javascript").end(purify);
    else
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(pageFor(pathname === "/blocks" ? "blocks" : "whole"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    address: (way) => `http://127.0.0.1:${port}/${way}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };

  async function play(response: ServerResponse): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) {
      response.write(`data: ${JSON.stringify(piece)}\n\n`);
      await sleep(gapMs);
    }
    response.end("event: end\ndata: 1\n\n");
  }
}

function pageFor(way: PlainWay): string {
  return `<!doctype html><title>plain</title><style>body { font: 16px sans-serif; max-width: 45rem; margin: auto }</style>
<script src="/marked.js"></script><script src="/purify.js"></script>
<button>start</button><main></main>
<script>
  const main = document.querySelector("main");
  const htmlOf = (text) => DOMPurify.sanitize(marked.parse(text));
  let text = "";
  let shown = [];
  const ways = {
    whole() { main.innerHTML = htmlOf(text); },
    blocks() {
      const blocks = marked.lexer(text).map((token) => token.raw);
      blocks.forEach((raw, at) => {
        if (shown[at] === raw) return;
        const place = main.children[at] ?? main.appendChild(document.createElement("div"));
        place.innerHTML = htmlOf(raw);
      });
      shown = blocks;
    },
  };
  document.querySelector("button").onclick = () => {
    const source = new EventSource("/pieces");
    source.onmessage = ({ data }) => {
      text += JSON.parse(data);
      ways["${way}"]();
      scrollTo(0, document.body.scrollHeight);
    };
    source.addEventListener("end", () => { source.close(); document.title = "done"; });
  };
</script>`;
}
