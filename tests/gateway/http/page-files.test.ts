import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openHttpScene } from "../../scenes/gateway/http-scene.ts";

const page = `<!doctype html><title>Steward</title>${"<p>words</p>".repeat(200)}`;

async function pageFolder(home: string): Promise<void> {
  await mkdir(join(home, "page", "assets"), { recursive: true });
  await writeFile(join(home, "page", "index.html"), page);
  await writeFile(join(home, "page", "service-worker.js"), "self.onfetch = null;");
  await writeFile(join(home, "page", "assets", "main-1a2b.js"), `export {};${"/* words */".repeat(200)}`);
}

describe("the page", () => {
  test("is served at every address that could be one, under its own strict policy", async () => {
    const scene = await openHttpScene();
    await pageFolder(scene.home);
    for (const path of ["/", "/chat/web--default", "/settings?x=1"]) {
      const answer = await scene.send("GET", path, { headers: { Accept: "text/html,*/*" } });
      expect([answer.status, answer.text]).toEqual([200, page]);
      expect(answer.headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html dompurify steward",
      );
      expect(answer.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    }
    expect((await scene.send("GET", "/chat")).status).toBe(404);
    expect((await scene.send("GET", "/missing.js", { headers: { Accept: "text/html" } })).status).toBe(404);
  });

  test("its files are packed, typed, and kept by the browser as long as they may be", async () => {
    const scene = await openHttpScene();
    await pageFolder(scene.home);
    const script = await scene.send("GET", "/assets/main-1a2b.js", { headers: { "Accept-Encoding": "br, gzip" } });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    expect(String(gunzipSync(Buffer.from(script.text, "latin1")))).toMatch(/^export \{\};/);
    const worker = await scene.send("GET", "/service-worker.js");
    expect(worker.headers["cache-control"]).toBe("no-cache");
    const again = await scene.send("GET", "/service-worker.js", {
      headers: { "If-None-Match": String(worker.headers.etag) },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    await writeFile(join(scene.home, "page", "service-worker.js"), "self.onpush = null; // new");
    expect((await scene.send("GET", "/service-worker.js")).text).toContain("new");
    const head = await scene.send("HEAD", "/");
    expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(page.length)]);
  });

  test("nothing outside its folder is served, by no spelling and no link, and no hidden file", async () => {
    const scene = await openHttpScene();
    await pageFolder(scene.home);
    await writeFile(join(scene.home, "secret.txt"), "secret");
    await writeFile(join(scene.home, "page", ".hidden.txt"), "secret");
    await mkdir(join(scene.home, "page-other"));
    await writeFile(join(scene.home, "page-other", "secret.txt"), "secret");
    await symlink(join(scene.home, "secret.txt"), join(scene.home, "page", "link.txt"));
    await symlink(join(scene.home, "page-other"), join(scene.home, "page", "other"));
    for (const path of ["/link.txt", "/other/secret.txt", "/.hidden.txt", "/assets", "/assets/", "/data/steward.db"]) {
      const { status, text } = await scene.send("GET", path);
      expect([path, status, text.includes("secret")]).toEqual([path, 404, false]);
    }
    for (const path of ["/../secret.txt", "/assets/..%2f..%2fsecret.txt", "/%2e%2e/secret.txt", "/..\\secret.txt"]) {
      const answer = await scene.raw(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${scene.port}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test("that has not been built says how to build it", async () => {
    const scene = await openHttpScene();
    const answer = await scene.send("GET", "/");
    expect([answer.status, answer.headers["content-type"]]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(answer.text).toContain('run "npm start"');
  });

  test("answers for programs are never kept and may do nothing in a browser", async () => {
    const scene = await openHttpScene();
    expect((await scene.send("GET", "/api/open")).headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
});
