// The page is built where it is served; a stand-in for vite shows when and how often.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const goodVite = `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
appendFileSync("builds", "x");
mkdirSync("web/dist.new", { recursive: true });
writeFileSync("web/dist.new/index.html", "page " + process.argv.slice(2).join(" "));
`;

function scene(vite = goodVite) {
  const project = mkdtempSync(join(tmpdir(), "steward-page-"));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  cpSync(join(import.meta.dirname, "../..", "scripts"), join(project, "scripts"), { recursive: true });
  for (const folder of ["web/src", "src/contract", "node_modules/node/bin", "node_modules/vite/bin"])
    mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  writeFileSync(join(project, "package-lock.json"), "{}");
  writeFileSync(join(project, "web", "src", "main.ts"), "one");
  writeFileSync(join(project, "src", "contract", "event.ts"), "one");
  writeFileSync(join(project, "node_modules", "vite", "bin", "vite.js"), vite);
  const node = join(project, "node_modules", "node", "bin", "node");
  writeFileSync(node, `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
  chmodSync(node, 0o755);
  const start = (...args: string[]) => {
    const script = `import { ensureWebPage } from "./scripts/ensure-web-page.mjs";
      await ensureWebPage(process.cwd(), ${JSON.stringify(args)});`;
    return spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: project, encoding: "utf8" });
  };
  const builds = () => (existsSync(join(project, "builds")) ? readFileSync(join(project, "builds"), "utf8").length : 0);
  return { project, start, builds, page: () => readFileSync(join(project, "web", "dist", "index.html"), "utf8") };
}

test("the first start builds the page and says so, the second does neither", () => {
  const { start, builds, page } = scene();
  expect(start("daemon").stderr).toBe("Building the web page…\n");
  expect(page()).toContain("page build web");
  expect(start("daemon")).toMatchObject({ stderr: "", status: 0 });
  expect(builds()).toBe(1);
});

test("a changed source builds it again", () => {
  const { project, start, builds } = scene();
  start();
  writeFileSync(join(project, "web", "src", "main.ts"), "two!");
  start();
  utimesSync(join(project, "web", "src", "main.ts"), 1, 1);
  start("chat");
  expect(builds()).toBe(3);
});

test("a change to the part of the sources that page and program share builds it again", () => {
  const { project, start, builds } = scene();
  start();
  writeFileSync(join(project, "src", "contract", "event.ts"), "two!");
  start();
  start();
  expect(builds()).toBe(2);
});

test("a command that serves nobody builds nothing", () => {
  const { start, builds } = scene();
  start("status");
  expect(builds()).toBe(0);
});

test("a build that fails is told, and Steward starts without the page", () => {
  const { project, start } = scene('console.error("no such element"); process.exit(1);');
  const { stderr, status } = start("daemon");
  expect(stderr).toContain("could not be built, so it is not served: no such element");
  expect(status).toBe(0);
  expect(existsSync(join(project, "web", "dist"))).toBe(false);
});

test("a page that was there stays when the next build fails", () => {
  const { project, start, page } = scene();
  start();
  writeFileSync(join(project, "node_modules", "vite", "bin", "vite.js"), "process.exit(1);");
  writeFileSync(join(project, "web", "src", "main.ts"), "three");
  expect(start().stderr).toContain("could not be built");
  expect(page()).toContain("page build web");
});
