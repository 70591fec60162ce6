import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { withClient } from "../../contract/room/with-client.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { visibleLine } from "../visible-text.ts";

/** Prints a link that lets one browser in, and opens it where there is a screen to open it on. */
export function openCommand({ openBrowser }: Pick<CommandLineDeps, "openBrowser">): Command {
  return {
    name: "open",
    summary: "Open the web page",
    description: "Print a link to the web page that lets one browser in, and open it.",
    notes: jsonNotes("url, expiresAtMs, opened"),
    options: [{ form: "--print", description: "print the link and open nothing" }, jsonOption],
    async run({ flags }, context) {
      const { url, expiresAtMs } = await withClient(context, (client) => client.call("access.createCode", {}));
      const opened = !flags.has("print") && (await openBrowser?.(url)) === true;
      if (flags.has("json")) {
        printJson(context.console, { url, expiresAtMs, opened });
        return 0;
      }
      const left = formatDuration(Math.max(0, expiresAtMs - context.world.nowMs()));
      context.console.output.write(`${visibleLine(url, 2000)}\n`);
      // beside the output, so that the link alone can be handed to another program
      context.console.errors.write(
        opened
          ? `It opens in your browser. The link works once, for ${left}.\n`
          : `Open this link in a browser. It works once, for ${left}.\n`,
      );
      return 0;
    },
  };
}

export type Desktop = {
  platform: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Where a file may lie for a minute that no other user can read, and every browser of this one can. */
  folder: string;
  keepFileMs?: number;
};

type Program = readonly [string, ...string[]];

const letterName = /^steward-open-[0-9a-f]{16}\.html$/;
const usualKeepMs = 60_000;

/** Hands the link to the program that opens files here; false when there is no screen or no such program. */
export async function openInBrowser(desktop: Desktop, url: string): Promise<boolean> {
  const opener = openerFor(desktop);
  if (!opener || !/^https?:\/\/[\w.:[\]-]+\/#code=[\w-]+$/.test(url)) return false;
  // a folder that cannot be written is no reason to fail: the link is printed all the same
  const letter = await writeLetter(desktop.folder, url).catch(() => undefined);
  if (letter === undefined) return false;
  const opened = await start(opener, letter, desktop.environment);
  if (!opened) await rm(letter, { force: true });
  // whoever ran the command has gone on by then, and the browser may be slow
  else await start([process.execPath, "-e", removeAfter(desktop.keepFileMs ?? usualKeepMs)], letter, {});
  return opened;
}

function removeAfter(ms: number): string {
  return `setTimeout(() => require("node:fs").rmSync(process.argv[1], { force: true }), ${ms})`;
}

// every user of the machine can read what a program was started with, so the link stands in a file of the owner's
async function writeLetter(folder: string, url: string): Promise<string> {
  for (const name of await readdir(folder)) if (letterName.test(name)) await rm(join(folder, name), { force: true });
  const path = join(folder, `steward-open-${randomBytes(8).toString("hex")}.html`);
  const text = `<!doctype html><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>Steward</title><a href="${url}">Open Steward</a>\n`;
  await writeFile(path, text, { mode: 0o600, flag: "wx" });
  return path;
}

function start([program, ...args]: Program, letter: string, env: Desktop["environment"]): Promise<boolean> {
  const child = spawn(program, [...args, letter], { env, detached: true, stdio: "ignore" });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}

function openerFor({ platform, environment }: Desktop): Program | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
