import type { Frame, Page } from "playwright-core";
import { z } from "zod";
import type { Visit } from "../session/use-session.ts";
import { within } from "../within.ts";
import { maskSecrets, type PageLine, pageLines } from "./page-lines.ts";

const mostFrames = 20;
const frameMs = 1_000;
const Values = z.array(z.string());

/** Reads the page as a screen reader would; references in it stay valid until the element is gone. */
export async function takeSnapshot({ session: { secrets }, signal }: Visit, page: Page): Promise<readonly PageLine[]> {
  const tree = await page.ariaSnapshotJSON({ mode: "ai", signal });
  const shown = pageLines(tree, (text) => maskSecrets(text, secrets));
  // asking every frame takes time, and is for pages on which something has been filled in
  const passwords = shown.some((line) => line.hasValue) ? await passwordsOn(page) : [];
  const lines =
    passwords.length === 0 ? shown : pageLines(tree, (text) => maskSecrets(text, [...secrets, ...passwords]));
  const frames = await frameAddresses(page, lines);
  return lines.map((line) => nameFrame({ ...line, link: toAbsolute(line, frames, page) }, frames));
}

async function passwordsOn(page: Page): Promise<string[]> {
  return (await Promise.all(page.frames().slice(0, mostFrames).map(passwordsIn))).flat();
}

async function passwordsIn(frame: Frame): Promise<string[]> {
  const asked = frame.locator("input[type=password]").evaluateAll("(inputs) => inputs.map((input) => input.value)");
  // a frame that is just going away shows nothing either
  const values = Values.safeParse(await within(frameMs, asked).catch(() => []));
  return values.success ? values.data : [];
}

async function frameAddresses(page: Page, lines: readonly PageLine[]): Promise<Map<string, string>> {
  const refs = lines.flatMap(({ identity, ref }) => (/^iframe\b/.test(identity) && ref ? [ref] : []));
  const found = await Promise.all(
    refs.slice(0, mostFrames).map(async (ref): Promise<[string, string]> => {
      const asked = page.getByRef(ref).elementHandle({ timeout: frameMs });
      const handle = await within(frameMs, asked).catch(() => undefined);
      const frame = await handle?.contentFrame().catch(() => undefined);
      return [ref, frame?.url() ?? ""];
    }),
  );
  return new Map(found);
}

// whoever fills in a form within a frame must see whose form it is
function nameFrame(line: PageLine, frames: ReadonlyMap<string, string>): PageLine {
  const url = line.ref === undefined ? undefined : frames.get(line.ref);
  return url ? { ...line, text: `${line.text} → ${url.slice(0, 300)}` } : line;
}

function toAbsolute(line: PageLine, frames: ReadonlyMap<string, string>, page: Page): string | undefined {
  if (line.link === undefined) return undefined;
  const base = (line.frame === undefined ? undefined : frames.get(line.frame)) ?? page.url();
  const url = URL.parse(line.link, base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
