import type { Command } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";

export function doctorCommand({ doctor }: Pick<CommandLineDeps, "doctor">): Command {
  return {
    name: "doctor",
    summary: "Check this installation",
    description:
      "Check this installation. Every finding says what to do next; the exit code is 1 when something is wrong.",
    notes: jsonNotes("findings: [{ok, name, detail, next?}], broken"),
    options: [
      {
        form: "--repair",
        description: "rebuild the database from what can be read and from the transcripts; keeps a copy",
      },
      jsonOption,
    ],
    async run({ flags }, { console }) {
      const { findings } = await doctor({ repair: flags.has("repair") });
      const broken = findings.filter((finding) => !finding.ok).length;
      if (flags.has("json")) {
        printJson(console, { findings, broken });
        return broken === 0 ? 0 : 1;
      }
      const { output, colors } = console;
      const paint = paletteFor(colors);
      const width = Math.max(0, ...findings.map((finding) => [...finding.name].length));
      for (const { ok, name, detail, next } of findings) {
        const mark = ok ? paint.good("✓") : paint.bad("✗");
        output.write(`${mark} ${name.padEnd(width)}  ${visibleLine(detail)}\n`);
        if (next) output.write(`  ${" ".repeat(width)}  ${paint.faint("→")} ${visibleLine(next)}\n`);
      }
      output.write(broken === 0 ? "\nEverything looks well.\n" : `\n${broken} of ${findings.length} need a hand.\n`);
      return broken === 0 ? 0 : 1;
    },
  };
}
