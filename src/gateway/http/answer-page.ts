import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { notFound } from "./refusal.ts";
import type { RequestTarget } from "./request-target.ts";
import type { StaticFile, StaticFiles } from "./static-files.ts";
import { setCommonHeaders, writeBytes, writeRefusal } from "./write-answer.ts";

/** Addresses that belong to programs and are never a page, also when no route has them. */
const reserved = new Set(["api", "v1", "ws"]);
const notBuilt =
  'Steward is running, but its page has not been built.\n\nStop it and run "npm start" in the folder that it was installed into: that builds the page first.\n';

type PageDeps = { files: StaticFiles; strictTransport: boolean };

/** The page for every address that a person may have bookmarked, and the files it is made of. */
export async function answerPage(deps: PageDeps, target: RequestTarget, response: ServerResponse): Promise<void> {
  const { accept } = response.req.headers;
  const [first = "", ...rest] = target.segments;
  if (reserved.has(first)) return writeRefusal(response, notFound);
  const isPage = target.path === "/" || (isPagePath(target) && accept?.includes("text/html") === true);
  const file = await deps.files.find(isPage ? ["index.html"] : target.segments);
  setCommonHeaders(response, "page", deps.strictTransport);
  if (file) return writeFile(file, first === "assets" && rest.length > 0, response);
  const asText = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  if (isPage) return writeBytes(response, 503, Buffer.from(notBuilt), asText);
  setCommonHeaders(response, "answer", deps.strictTransport);
  writeRefusal(response, notFound);
}

// a dot makes the last part a file's name, but for the key of a conversation, which may hold one
function isPagePath({ segments }: RequestTarget): boolean {
  return segments[0] === "chat" || !segments.at(-1)?.includes(".");
}

async function writeFile(file: StaticFile, immutable: boolean, response: ServerResponse): Promise<void> {
  const { headers: asked } = response.req;
  const zipped = takesGzip(asked) ? file.zipped : undefined;
  const etag = zipped ? file.etag.replace(/"$/, '-z"') : file.etag;
  // built files carry their hash in their name; everything else is asked for again each time, above all the service worker
  const caching = immutable ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = { ETag: etag, "Cache-Control": caching, Vary: "Accept-Encoding" };
  const known = (asked["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag)) return void response.writeHead(304, headers).end();
  await writeBytes(response, 200, zipped ?? file.bytes, {
    ...headers,
    "Content-Type": file.type,
    ...(zipped && { "Content-Encoding": "gzip" }),
  });
}

function takesGzip(asked: IncomingHttpHeaders): boolean {
  const offers = String(asked["accept-encoding"] ?? "").split(",");
  return offers.some((offer) => /^\s*gzip\s*(;\s*q=(1|0?\.0*[1-9]).*)?$/i.test(offer));
}
