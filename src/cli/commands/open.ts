import { spawn } from "node:child_process";
import { durationWords } from "../amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { visibleLine } from "../visible-text.ts";
import { withClient } from "./with-client.ts";

/** Prints a link that lets one browser in, and opens it where there is a screen to open it on. */
export async function openPage(deps: CommandLineDeps, options: { print?: boolean }): Promise<number> {
  const { url, expiresAtMs } = await withClient(deps, (client) => client.call("access.createCode", {}));
  const opened = options.print !== true && (await deps.openBrowser?.(url)) === true;
  const left = durationWords(Math.max(0, expiresAtMs - deps.world.nowMs()));
  deps.console.output.write(`${visibleLine(url, 2000)}\n`);
  // beside the output, so that the link alone can be handed to another program
  deps.console.errors.write(
    opened
      ? `It opens in your browser. The link works once, for ${left}.\n`
      : `Open this link in a browser. It works once, for ${left}.\n`,
  );
  return 0;
}

export type Desktop = { platform: string; environment: Readonly<Record<string, string | undefined>> };

/** Hands the link to the program that opens links here; false when there is no screen or no such program. */
export function openInBrowser(desktop: Desktop, url: string): Promise<boolean> {
  const opener = openerFor(desktop);
  if (!opener || !/^https?:\/\//.test(url)) return Promise.resolve(false);
  const [program, ...args] = opener;
  return new Promise((tell) => {
    const { environment: env } = desktop;
    const child = spawn(program, [...args, url], { env, detached: true, stdio: "ignore" });
    child.once("error", () => tell(false));
    child.once("spawn", () => {
      child.unref();
      tell(true);
    });
  });
}

function openerFor({ platform, environment }: Desktop): readonly [string, ...string[]] | undefined {
  switch (platform) {
    case "darwin":
      return ["open"];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler"];
    default:
      return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
  }
}
