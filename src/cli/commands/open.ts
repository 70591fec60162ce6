import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command } from "../../contract/room/command.ts";
import { formatDuration } from "../../contract/words/amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { visibleLine } from "../visible-text.ts";
import { withClient } from "./look-commands.ts";

/** Prints a link that lets one browser in, and opens it where there is a screen to open it on. */
export function openCommand({ openBrowser }: Pick<CommandLineDeps, "openBrowser">): Command {
  return {
    name: "open",
    summary: "Open the web page",
    description: "Print a link to the web page that lets one browser in, and open it.",
    options: [{ form: "--print", description: "print the link and open nothing" }],
    async run({ flags }, context) {
      const { url, expiresAtMs } = await withClient(context, (client) => client.call("access.createCode", {}));
      const opened = !flags.has("print") && (await openBrowser?.(url)) === true;
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

export type Desktop = { platform: string; environment: Readonly<Record<string, string | undefined>> };

/** Hands the link to the program that opens links here; false when there is no screen or no such program. */
export async function openInBrowser(desktop: Desktop, url: string): Promise<boolean> {
  const opener = openerFor(desktop);
  if (!opener || !/^https?:\/\//.test(url)) return false;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, url], { env: desktop.environment, detached: true, stdio: "ignore" });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}

function openerFor({ platform, environment }: Desktop): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}
