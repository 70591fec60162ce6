// Debian's Firefox as a person uses it: keys and clicks go in over WebDriver BiDi, what the page shows comes out.
// (The driver that comes with playwright-core asks this Firefox for commands that it does not know.)
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { z } from "zod";
import { eventually } from "../eventually.ts";
import { ended } from "../steward-process.ts";

export type Firefox = {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** What an expression gives in the page; `all(selector)` finds elements also inside shadow roots. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses keys one after the other, as they are on the keyboard. */
  type(text: string): Promise<void>;
  press(key: "Enter" | "Escape"): Promise<void>;
  /** Clicks the middle of the button or link with this name, as soon as there is one to be seen. */
  click(name: string): Promise<void>;
  /** Waits until the page shows these words. */
  shows(words: string): Promise<void>;
  close(): Promise<void>;
};

const Reply = z.object({ id: z.number(), result: z.unknown().optional(), message: z.string().optional() });
const Contexts = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const Evaluated = z.object({
  result: z.object({ value: z.unknown() }).optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});
const Place = z.object({ x: z.number(), y: z.number() }).nullable();

// asks nobody on the network but the page it is sent to
const preferences = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.region.network.url": "",
  "browser.safebrowsing.downloads.enabled": false,
  "browser.search.update": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.getAddons.cache.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.enabled": false,
};
const keyCodes = { Enter: "\uE007", Escape: "\uE00C" } as const;

export async function openFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), "steward-firefox-"));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  await writeFile(join(profile, "user.js"), lines.join("\n"));
  const size = ["--width=1280", "--height=900"];
  const args = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile, ...size];
  const child = spawn("firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"] });
  const socket = new WebSocket(`${await addressOf(child)}/session`);
  const ask = askOver(socket);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  await ask("session.new", { capabilities: {} });
  const context = Contexts.parse(await ask("browsingContext.getTree", {})).contexts[0]?.context;

  const evaluate = async (expression: string) => {
    const params = { expression: `${findAll}; JSON.stringify(${expression}) ?? "null"`, awaitPromise: true };
    const { result, exceptionDetails } = Evaluated.parse(
      await ask("script.evaluate", { ...params, target: { context } }),
    );
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return JSON.parse(String(result?.value));
  };
  const pressAll = async (keys: readonly string[]) => {
    const actions = keys.flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await ask("input.performActions", { context, actions: [{ type: "key", id: "keyboard", actions }] });
  };
  return {
    goto: async (url) => void (await ask("browsingContext.navigate", { context, url, wait: "complete" })),
    reload: async () => void (await ask("browsingContext.reload", { context, wait: "complete" })),
    evaluate,
    type: (text) => pressAll([...text]),
    press: (key) => pressAll([keyCodes[key]]),
    async click(name) {
      const find = `middleOf(${JSON.stringify(name)})`;
      await eventually(async () => (await evaluate(find)) !== null, true);
      const place = Place.parse(await evaluate(find));
      const at = { type: "pointerMove", x: Math.round(place?.x ?? 0), y: Math.round(place?.y ?? 0) };
      const actions = [at, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
      await ask("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
    },
    async shows(words) {
      await eventually(() => evaluate(`shownWords().includes(${JSON.stringify(words)})`), true);
    },
    async close() {
      socket.terminate();
      child.kill("SIGKILL");
      await ended(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.once("error", (cause) => reject(new Error("firefox-esr is not installed (apt-get install it)", { cause })));
    child.once("exit", (code) => reject(new Error(`Firefox ended with ${code}: ${said}`)));
    child.stderr?.on("data", (piece) => {
      said += piece;
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

function askOver(socket: WebSocket): (method: string, params: unknown) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.on("message", (frame) => {
    const reply = Reply.safeParse(JSON.parse(String(frame)));
    const asked = reply.success ? waiting.get(reply.data.id) : undefined;
    if (!reply.success || !asked) return;
    if (reply.data.message === undefined) asked.resolve(reply.data.result);
    else asked.reject(new Error(reply.data.message));
  });
  let count = 0;
  return (method, params) => {
    count += 1;
    const asked = Promise.withResolvers<unknown>();
    waiting.set(count, asked);
    socket.send(JSON.stringify({ id: count, method, params }));
    return asked.promise;
  };
}

// written as text, because it runs in the page
const findAll = `
  var all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches(selector) ? [one] : []), ...(one.shadowRoot ? all(selector, one.shadowRoot) : [])]);
  var shownWords = () => { const words = []; const walk = (node) => {
    if (node.nodeType === 3) words.push(node.data);
    if (node.nodeType !== 1 || node.localName === "style" || !node.checkVisibility()) return;
    for (const child of (node.shadowRoot ?? node).childNodes) walk(child);
    words.push(" "); }; walk(document.body); return words.join("").replace(/\\s+/g, " "); };
  var middleOf = (name) => { const one = all("button, a").find((it) => it.checkVisibility() && !it.disabled &&
    (it.getAttribute("aria-label") ?? it.textContent.trim()) === name); if (!one) return null;
    one.scrollIntoView({ block: "nearest" }); const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }; };
  var focused = () => { let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement; return at; }`;
