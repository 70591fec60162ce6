// A web site on loopback for the browser: good pages, hostile pages, and a server nearby that no page may ever reach.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { hostilePages } from "./browser-pages-hostile.ts";
import type { Pages, Place } from "./browser-pages-place.ts";

export type Seen = { method: string; host: string; url: string; cookie: string | undefined };
export type BrowserPages = Place & {
  port: number;
  requests: readonly Seen[];
  /** Everything that reached the server which must never be reached. */
  secretRequests: readonly string[];
  close(): Promise<void>;
};

export async function startBrowserPages(): Promise<BrowserPages> {
  const requests: Seen[] = [];
  const secretRequests: string[] = [];
  const secret = createServer((request, response) => {
    secretRequests.push(request.url ?? "");
    response.setHeader("access-control-allow-origin", "*");
    response.end("the secret");
  });
  secret.on("upgrade", (request, socket) => {
    secretRequests.push(request.url ?? "");
    socket.destroy();
  });
  const secretPort = await listen(secret);
  const site = createServer((request, response) => serve(place, requests, request, response));
  const sockets = new Set<Duplex>();
  site.on("upgrade", (request, socket) => {
    sockets.add(socket);
    answerSocket(request, socket);
  });
  const port = await listen(site);
  const place: Place = {
    site: `http://site.test:${port}`,
    other: `http://other.test:${port}`,
    secret: `http://127.0.0.1:${secretPort}`,
  };
  return {
    ...place,
    port,
    requests,
    secretRequests,
    async close() {
      for (const socket of sockets) socket.destroy();
      for (const server of [site, secret]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function serve(place: Place, requests: Seen[], request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://site.test");
  const { host = "", cookie } = request.headers;
  requests.push({ method: request.method ?? "", host, url: request.url ?? "", cookie });
  const page = { ...goodPages, ...hostilePages }[pathname];
  if (!page) {
    response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>");
    return;
  }
  response.setHeader("content-type", "text/html; charset=utf-8");
  const body = page(place, request, response);
  if (body !== undefined) response.end(body);
}

const goodPages: Pages = {
  "/": () => `<title>Shop</title><h1>Welcome</h1><a href="/form">Order form</a> <a href="/long">Long</a>`,
  "/form": () => `<title>Form</title><form action="/done">
    <label>Name <input name="name"></label> <label>Password <input name="password" type="password"></label>
    <label>Colour <select name="colour"><option>red</option><option>green</option></select></label>
    <label>Sure <input type="checkbox" name="sure"></label>
    <button>Send</button></form>`,
  "/done": (_, request) => `<title>Done</title><p>Got ${escapeHtml(request.url ?? "")}</p>`,
  "/keys": () => `<title>Keys</title><input aria-label="Box"><p id="seen">none</p>
    <script>addEventListener("keydown", (event) => { seen.textContent = "key " + event.key; });</script>`,
  "/frames": ({ other }) => `<title>Frames</title><p>Outside</p><iframe src="${other}/inner"></iframe>`,
  "/inner": () => `<button onclick="this.textContent = 'Paid'">Pay</button>`,
  "/long": () => Array.from({ length: 2_000 }, (_, at) => `<button>Button number ${at}</button>`).join(""),
  "/changing": () =>
    `<button id="b" onclick="this.remove()">Go away</button><button onclick="b.textContent='Other'">Change</button>`,
  "/cookie": (_, request, response) => {
    response.setHeader("set-cookie", "visitor=first; path=/; max-age=3600");
    return `<p>Cookies: ${escapeHtml(request.headers.cookie ?? "none")}</p>`;
  },
  "/socket": ({ site }) => `<p id="out">waiting</p><script>
    const socket = new WebSocket("${site.replace("http", "ws")}/echo");
    socket.onopen = () => { out.textContent = "socket open"; };
    socket.onerror = () => { out.textContent = "socket refused"; };</script>`,
  "/downloads": ({
    other,
  }) => `<a href="/report.csv">Report</a> <a href="${other}/report.csv">Foreign</a> <a href="/huge">Huge</a>
    <button onclick="location='/attached'">Button</button>`,
  "/report.csv": (_, __, response) => {
    response.setHeader("content-type", "text/csv");
    return "a,b\n1,2\n";
  },
  "/attached": (_, __, response) => {
    response.setHeader("content-type", "application/octet-stream");
    response.setHeader("content-disposition", "attachment; filename*=UTF-8''..%2F..%2F.bashrc%00%0Aevil.sh");
    return "echo evil\n";
  },
  "/huge": (_, __, response) => {
    response.setHeader("content-type", "application/octet-stream");
    const timer = setInterval(() => response.write(Buffer.alloc(100_000)), 20);
    response.once("close", () => clearInterval(timer));
    return undefined;
  },
  "/tall": () =>
    `<title>Tall</title><body style="margin:0"><div style="height:30000px;background:linear-gradient(red,blue)">Tall</div>`,
};

function answerSocket(request: IncomingMessage, socket: Duplex): void {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash("sha1").update(key).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
  );
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
