import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BrowserScene, lineOf, openBrowserScene } from "../../scenes/tools/browser-scene.ts";

let scene: BrowserScene;
let site: string;
beforeAll(async () => {
  scene = await openBrowserScene({ limits: { downloadBytes: 2_000_000, screenshotHeight: 3_000, actionMs: 5_000 } });
  site = scene.pages.site;
});
afterAll(() => scene.close());

const open = (path: string) => scene.look({ action: "open", url: `${site}${path}` });

test.each(["browser", "browser_act"])("%s costs the model at most 120 tokens", (name) => {
  const { declaration } = scene.tools.find((tool) => tool.name === name) ?? expect.unreachable();
  const { description, inputSchema } = declaration;
  expect((name.length + description.length + JSON.stringify(inputSchema).length) / 4).toBeLessThanOrEqual(120);
});

test("an opened page is shown as roles, names and references, labelled with its host", async () => {
  const page = await open("/");
  expect(page.outcome).toBe("done");
  expect(page.output).toContain('heading "Welcome" [e2]');
  expect(page.output).toMatch(/link "Order form" \[e\d+\] → \/form/);
  expect(page.labels).toEqual([`web:site.test:${scene.pages.port}`]);
});

test("a whole form is filled in with one call and sent, and the password comes back in no result", async () => {
  const page = await open("/form");
  const typed = await scene.act(`${site}/form`, [
    { do: "type", target: lineOf(page, 'textbox "Name"'), text: "Ada" },
    { do: "type", target: lineOf(page, 'textbox "Password"'), text: "correct horse" },
    { do: "select", target: lineOf(page, 'combobox "Colour"'), text: "green" },
    { do: "click", target: lineOf(page, 'checkbox "Sure"') },
  ]);
  const sent = await scene.act(`${site}/form`, [{ do: "click", target: lineOf(page, 'button "Send"') }]);
  expect(scene.pages.requests.at(-1)?.url).toBe("/done?name=Ada&password=correct+horse&colour=green&sure=on");
  expect(typed.output).toContain("Typed 13 characters");
  expect(typed.output).toMatch(/textbox "Password" \[\w+\].*: ••••/);
  expect(sent.output).toContain("password=");
  expect(typed.output + sent.output).not.toMatch(/correct.horse/);
});

test("the approval shows the page, each element and the whole text", () => {
  const target = 'textbox "Name" [e4]';
  const { approvalText, destinations } = scene.bind("browser_act", {
    page: "https://shop.example/form",
    steps: [
      { do: "type", target, text: "first\nsecond" },
      { do: "press", target, text: "Enter" },
    ],
  });
  expect(approvalText).toBe(
    'In the browser, on https://shop.example/form:\n1. type into textbox "Name" [e4]:\n    first\n    second\n2. press Enter on textbox "Name" [e4]',
  );
  expect(destinations).toEqual(["https://shop.example"]);
});

test("an address is shown whole, however long", () => {
  const url = `https://shop.example/${"a".repeat(20_000)}?end`;
  expect(scene.bind("browser", { action: "open", url }).approvalText).toBe(`Open ${url} in the browser`);
  expect(scene.bind("browser_act", { page: url, steps: [] }).approvalText).toBe(`In the browser, on ${url}:`);
});

test("opening tells the address, looking around tells a choice, and the links shown come with the page", async () => {
  const { links } = await open("/");
  expect(links).toContain(`${site}/form`);
  const tells = (args: Record<string, unknown>) => scene.bind("browser", args).tells;
  expect(tells({ action: "open", url: `${site}/form` })).toEqual([{ kind: "address", url: `${site}/form` }]);
  for (const action of ["scroll", "back", "switch", "close", "screenshot", "wait"])
    expect(tells({ action })).toEqual([{ kind: "choice", of: expect.any(Number) }]);
});

test("keys reach the focused field", async () => {
  const page = await open("/keys");
  const pressed = await scene.act(`${site}/keys`, [
    { do: "press", target: lineOf(page, 'textbox "Box"'), text: "ArrowDown" },
  ]);
  expect(pressed.output).toContain("key ArrowDown");
});

test("what is not a key is refused with examples", async () => {
  await open("/keys");
  const pressed = await scene.act(`${site}/keys`, [{ do: "press", text: "rm -rf" }]);
  expect(pressed).toMatchObject({ outcome: "failed", output: expect.stringContaining("is no key") });
});

test("an element in a frame is used under the frame's own address, and not under the page's", async () => {
  const page = await open("/frames");
  expect(page.output).toContain(`→ ${scene.pages.other}/inner`);
  const steps = [{ do: "click", target: lineOf(page, 'button "Pay"') }];
  const wrong = await scene.act(`${site}/frames`, steps);
  expect(wrong).toMatchObject({ outcome: "failed", output: expect.stringContaining("Nothing was done") });
  const right = await scene.act(`${scene.pages.other}/inner`, steps);
  expect(right.output).toContain('button "Paid"');
});

test("a reference to what is gone or has become another is refused with the advice to read again", async () => {
  const page = await open("/changing");
  const button = lineOf(page, 'button "Go away"');
  await scene.act(`${site}/changing`, [{ do: "click", target: lineOf(page, 'button "Change"') }]);
  const changed = await scene.act(`${site}/changing`, [{ do: "click", target: button }]);
  expect(changed).toMatchObject({ outcome: "failed", output: expect.stringContaining("Read the page again") });
});

test("a reference from the page before is not used on the next one", async () => {
  const page = await open("/form");
  await open("/changing");
  const late = await scene.act(`${site}/changing`, [{ do: "click", target: lineOf(page, 'button "Send"') }]);
  expect(late).toMatchObject({ outcome: "failed", output: expect.stringContaining("Read the page again") });
});

test("steps after one that failed are not done", async () => {
  const page = await open("/form");
  const steps = [
    { do: "type", target: lineOf(page, 'textbox "Name"'), text: "Ada" },
    { do: "click", target: 'button "Nothing" [e999]' },
    { do: "click", target: lineOf(page, 'button "Send"') },
  ];
  const before = scene.pages.requests.length;
  const stopped = await scene.act(`${site}/form`, steps);
  expect(stopped.output).toMatch(/^Typed 3 characters into \[\w+\]\. Step 2 of 3 was not done, nor what follows/);
  expect(scene.pages.requests.length).toBe(before);
});

test("a long page is cut and goes on from the reference it names", async () => {
  const page = await open("/long");
  expect(page.output.length).toBeLessThan(18_000);
  const ref = /continue from \[(\w+)\]/.exec(page.output)?.[1] ?? "";
  const more = await scene.look({ action: "read", ref });
  const last = [...page.output.matchAll(/Button number (\d+)/g)].at(-1)?.[1];
  expect(more.output).toContain(`"Button number ${Number(last) + 1}" [${ref}]`);
});

test("a link is saved into downloads, and never over a file that is there", async () => {
  await mkdir(join(scene.workspace, "downloads"), { recursive: true });
  await writeFile(join(scene.workspace, "downloads", "report.csv"), "mine");
  const page = await open("/downloads");
  const saved = await scene.act(`${site}/downloads`, [{ do: "download", target: lineOf(page, 'link "Report"') }]);
  expect(saved.wrote).toEqual([{ path: "downloads/report-2.csv", replaced: true }]);
  expect(saved.labels).toEqual([`web:site.test:${scene.pages.port}`]);
  expect(await readFile(join(scene.workspace, "downloads", "report-2.csv"), "utf8")).toBe("a,b\n1,2\n");
  expect(await readFile(join(scene.workspace, "downloads", "report.csv"), "utf8")).toBe("mine");
});

test("a file from another host carries the label of that host too", async () => {
  const page = await open("/downloads");
  const saved = await scene.act(`${site}/downloads`, [{ do: "download", target: lineOf(page, 'link "Foreign"') }]);
  const { port } = scene.pages;
  expect(saved.labels).toEqual([`web:site.test:${port}`, `web:other.test:${port}`]);
});

test("the name a server gives its file is made harmless", async () => {
  const page = await open("/downloads");
  const saved = await scene.act(`${site}/downloads`, [{ do: "download", target: lineOf(page, 'button "Button"') }]);
  expect(saved.wrote?.[0]?.path).toMatch(/^downloads\/[\w-][\w.-]*\.sh$/);
  expect(await readdir(scene.workspace)).toEqual(["downloads"]);
});

test("an address is saved without being shown", async () => {
  await open("/");
  const saved = await scene.act(`${site}/report.csv`, [{ do: "download" }]);
  expect(saved.wrote?.[0]?.path).toMatch(/^downloads\/report.*\.csv$/);
  expect(saved.output).toContain(`page: ${site}/\n`);
});

test("a download beyond the limit is cancelled and leaves nothing", async () => {
  const page = await open("/downloads");
  const before = await readdir(join(scene.workspace, "downloads"));
  const huge = await scene.act(`${site}/downloads`, [{ do: "download", target: lineOf(page, 'link "Huge"') }]);
  expect(huge).toMatchObject({ outcome: "failed", output: expect.stringContaining("larger than the 2000000 bytes") });
  expect(await readdir(join(scene.workspace, "downloads"))).toEqual(before);
});

test("a download that nobody asked for is not taken", async () => {
  const page = await open("/downloads");
  const clicked = await scene.act(`${site}/downloads`, [{ do: "click", target: lineOf(page, 'button "Button"') }]);
  const later = await scene.look({ action: "read" });
  expect(clicked.output + later.output).toContain("a download was offered and not taken");
});

test("a screenshot is a PNG, and one of a whole page ends at the limit", async () => {
  await open("/tall");
  const seen = await scene.look({ action: "screenshot" });
  const whole = await scene.look({ action: "screenshot", full: true });
  expect(sizeOf(seen)).toEqual([1280, 800]);
  expect(sizeOf(whole)).toEqual([1280, 3_000]);
  expect(whole.output).toContain("cut at the bottom");
});

test("scrolling tells how far the page goes", async () => {
  await open("/tall");
  const down = await scene.look({ action: "scroll" });
  expect(down.output).toContain("Scrolled to 720–1520 of 30000 pixels.");
});

test("waiting for a text that never comes ends with a sentence", async () => {
  await open("/");
  const waited = await scene.look({ action: "wait", text: "Never" });
  expect(waited).toMatchObject({ outcome: "failed", output: expect.stringContaining("not done in time") });
});

test("without a page there is nothing to read", async () => {
  expect(await scene.look({ action: "read" }, { conversation: "terminal--new" })).toEqual({
    outcome: "failed",
    output: "No page is open. Open an address first.",
  });
});

test("two conversations do not share cookies, and one keeps its own between calls", async () => {
  const cookiesOf = async (name: string) =>
    lineOf(
      await scene.look({ action: "open", url: `${site}/cookie` }, { conversation: `terminal--${name}` }),
      "paragraph",
    );
  expect(await cookiesOf("ada")).toContain("Cookies: none");
  expect(await cookiesOf("ada")).toContain("Cookies: visitor=first");
  expect(await cookiesOf("bob")).toContain("Cookies: none");
});

test("what was approved is done even if Steward was restarted meanwhile", async () => {
  const page = await open("/form");
  const target = lineOf(page, 'button "Send"');
  await scene.restart();
  await scene.act(`${site}/form`, [{ do: "click", target }]);
  expect(scene.pages.requests.at(-1)?.url).toBe("/done?name=&password=&colour=red");
});

test("cookies and the page outlast a restart of Steward", async () => {
  await open("/cookie");
  await scene.restart();
  const again = await scene.look({ action: "read" });
  expect(again.output).toContain("Cookies: visitor=first");
  expect(scene.troubles).toEqual([]);
});

function sizeOf(result: Awaited<ReturnType<BrowserScene["look"]>>): number[] {
  const picture = Buffer.from(result.attachments?.[0]?.data ?? []);
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  return [picture.readUInt32BE(16), picture.readUInt32BE(20)];
}
