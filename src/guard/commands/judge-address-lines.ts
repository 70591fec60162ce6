import { createInterface } from "node:readline";
import type { CommandConsole } from "../../contract/room/command.ts";
import { judgeLine } from "./judge-addresses.ts";

/** Judges made-up look-ups and redirects with the real fetch code; nothing is fetched. */
export async function judgeAddressLines(console: CommandConsole): Promise<number> {
  for await (const line of createInterface({ input: console.input })) {
    if (line.trim() !== "") console.output.write(`${JSON.stringify(await judgeLine(line))}\n`);
  }
  return 0;
}
