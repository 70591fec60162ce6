import { createInterface } from "node:readline";
import type { ExtraCommand } from "../../contract/extra-command.ts";

/** Judges made-up look-ups and redirects with the real fetch code; nothing is fetched. */
export const guardUrl: ExtraCommand = {
  name: "guard url",
  groupSummary: "Try the guard's rules without running anything",
  summary: "Judge addresses: JSON lines {id, url, dns, redirects} in, {id, verdict, connected, reason} out",
  options: [],
  async run(_args, _options, console) {
    const { judgeLine } = await import("../address/judge-case.ts");
    for await (const line of createInterface({ input: console.input })) {
      if (line.trim() !== "") console.output.write(`${JSON.stringify(await judgeLine(line))}\n`);
    }
    return 0;
  },
};
