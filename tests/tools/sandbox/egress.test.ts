// From a command inside the sandbox through the proxy to a server on this machine, and not one step further.
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sandboxUser } from "../../../src/tools/programs/workspace-owner.ts";
import { type CheckedHost, type EgressDeps, openEgressProxy } from "../../../src/tools/sandbox/egress/egress-proxy.ts";
import { bwrapWith, isRoot, runToEnd, tellsOrigin } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene } from "../../scenes/sandbox/sandbox-scene.ts";
import { boxWaits } from "../../scenes/sandbox/waiting-boxes.ts";

test("a listed host is reached by plain HTTP, with the credential that the command never sees", async () => {
  const { run, requests, url } = await egressScene();
  const { text } = await run(`curl -sS ${url("api.example.test", "/v1?q=1")}; env`);
  expect(text).toMatch(/^hello from api\.example\.test\/v1\?q=1\n/);
  expect(requests[0]?.headers.authorization).toBe("Bearer host-side-key");
  expect(text).not.toContain("host-side-key");
});

test("a command cannot send a credential of its own in place of the configured one", async () => {
  const { run, requests, url } = await egressScene();
  await run(`curl -sS -H 'Authorization: Bearer forged' ${url("api.example.test", "/")}`);
  expect(requests[0]?.headers.authorization).toBe("Bearer host-side-key");
});

test("a request that servers answer with itself is not passed on", async () => {
  const { run, requests, url } = await egressScene();
  const { text } = await run(`curl -sS -X TRACE ${url("api.example.test", "/")}`);
  expect(text).toContain("TRACE is not passed on");
  expect(requests).toEqual([]);
});

test("a listed suffix is reached through a tunnel", async () => {
  const { run, url } = await egressScene();
  const { text } = await run(`curl -sS --proxytunnel ${url("deep.suffix.test", "/x")}`);
  expect(text).toBe("hello from deep.suffix.test/x\n");
});

test("bytes go both ways through a tunnel unchanged", async () => {
  const echo = createTcpServer((socket) => void socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void echo.close());
  const { run } = await egressScene();
  const { port } = echo.address() as AddressInfo;
  const { text } = await run(`head -c 300000 /dev/urandom > sent
    (cat sent; sleep 0.5) | socat - PROXY:127.0.0.1:any.suffix.test:${port},proxyport=3128 > came; cmp sent came && echo same`);
  expect(text).toBe("same\n");
});

test("a host that is not listed is refused with the reason, by HTTP and by tunnel", async () => {
  const { run, requests, url } = await egressScene();
  const { text } = await run(
    `curl -sS -w '%{http_code}\\n' ${url("evil.test", "/")}; curl -sS --proxytunnel -w '%{http_connect}\\n' ${url("evil.test", "/")}`,
  );
  expect(text).toContain("evil.test is not on the list of hosts that commands may reach\n403\n");
  expect(text).toContain("CONNECT tunnel failed, response 403");
  expect(requests).toEqual([]);
});

test("a listed name that the address guard refuses is refused", async () => {
  const { run, url } = await egressScene({
    resolveChecked: async () => ({ ok: false, reason: "api.example.test resolves to a private address" }),
  });
  expect((await run(`curl -sS ${url("api.example.test", "/")}`)).text).toBe(
    "api.example.test resolves to a private address\n",
  );
});

test("a guard that fails means no connection", async () => {
  const { run, url } = await egressScene({
    resolveChecked: async () => {
      throw new Error("no look-up today");
    },
  });
  expect((await run(`curl -sS ${url("api.example.test", "/")}`)).text).toContain("no look-up today");
});

test.each([
  { what: "an impossible status", said: "HTTP/1.1 099 Odd\r\ncontent-length: 0\r\n\r\n" },
  { what: "a status beyond all others", said: "HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n" },
  { what: "another protocol", said: "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: odd\r\n\r\n" },
  { what: "no HTTP at all", said: "hello\r\n\r\n" },
  { what: "nothing", said: "" },
])("a server that answers with $what is a bad gateway, and the next request is served", async ({ said }) => {
  const odd = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(said));
  });
  await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void odd.close());
  const { run, url } = await egressScene();
  const { port } = odd.address() as AddressInfo;
  const { text } = await run(
    `curl -sS --max-time 5 -o said -w '%{http_code}\\n' http://api.example.test:${port}/; curl -sS ${url("api.example.test", "/after")}`,
  );
  expect(text).toBe("502\nhello from api.example.test/after\n");
});

test("past the proxy there is no way out, and without it none at all", async () => {
  const { run, port, sandbox, command } = await egressScene();
  const direct = await run(`curl -sS --noproxy '*' --max-time 2 http://127.0.0.1:${port}/`);
  expect(direct.end.exitCode).not.toBe(0);
  const closed = await runToEnd(sandbox, command(`curl -sS --max-time 2 http://127.0.0.1:3128/`));
  expect(closed.end.exitCode).not.toBe(0);
});

test("a box that has waited reaches the network as well, and not one whose proxy has been opened anew", async () => {
  const { run, url, workspace, socketPath, closeProxy } = await egressScene();
  const script = () => `${tellsOrigin()} curl -sS ${url("api.example.test", "/")}`;
  expect((await run(script())).text).toBe("new\nhello from api.example.test/\n");
  await boxWaits(workspace);
  expect((await run(script())).text).toBe("waited\nhello from api.example.test/\n");
  await boxWaits(workspace);
  await closeProxy();
  const next = await openEgressProxy(proxyDeps({ socketPath, allow: [] }));
  onTestFinished(() => next.close());
  expect((await run(script())).text).toBe(
    "new\napi.example.test is not on the list of hosts that commands may reach\n",
  );
});

test("a socket path that the kernel would cut is refused", async () => {
  await expect(openEgressProxy(proxyDeps({ socketPath: `/tmp/${"x".repeat(110)}` }))).rejects.toThrow("too long");
});

test("requests that are not for a proxy get an answer and no connection", async () => {
  const { run } = await egressScene();
  const { text } = await run("curl -sS --noproxy '*' http://127.0.0.1:3128/etc/passwd");
  expect(text).toContain("this proxy takes CONNECT and absolute http:// addresses");
});

function proxyDeps(change: Partial<EgressDeps>): EgressDeps {
  return {
    socketPath: "/nonexistent",
    allow: ["api.example.test", "*.suffix.test"],
    resolveChecked: async (): Promise<CheckedHost> => ({ ok: true, address: "127.0.0.1" }),
    credentials: { "api.example.test": { Authorization: "Bearer host-side-key" } },
    ...(isRoot ? { user: sandboxUser } : {}),
    ...change,
  };
}

async function egressScene(change: Partial<EgressDeps> = {}) {
  const scene = await sandboxScene();
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((incoming, answer) => {
    requests.push(incoming);
    answer.end(`hello from ${incoming.headers.host?.split(":")[0]}${incoming.url}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = await openEgressProxy(proxyDeps({ socketPath: join(scene.base, "e"), ...change }));
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const sandbox = await bwrapWith(scene.stewardHome);
  const { socketPath } = proxy;
  const { port } = server.address() as AddressInfo;
  const network = { kind: "proxy", socketPath } as const;
  return {
    ...scene,
    sandbox,
    requests,
    port,
    socketPath,
    closeProxy: proxy.close,
    url: (host: string, path: string) => `'http://${host}:${port}${path}'`,
    run: (script: string) => runToEnd(sandbox, scene.command(script, { network })),
  };
}
