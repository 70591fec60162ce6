import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { visibleLine } from "../visible-text.ts";

export async function showFindings(deps: CommandLineDeps, options: { repair: boolean }): Promise<number> {
  const { findings } = await deps.doctor(options);
  const paint = paletteFor(deps.console.colors);
  const width = Math.max(0, ...findings.map((finding) => [...finding.name].length));
  for (const finding of findings) {
    const mark = finding.ok ? paint.good("✓") : paint.bad("✗");
    const name = finding.name.padEnd(width);
    deps.console.output.write(`${mark} ${name}  ${visibleLine(finding.detail)}\n`);
    if (finding.next)
      deps.console.output.write(`  ${" ".repeat(width)}  ${paint.faint("→")} ${visibleLine(finding.next)}\n`);
  }
  const broken = findings.filter((finding) => !finding.ok).length;
  deps.console.output.write(
    broken === 0 ? "\nEverything looks well.\n" : `\n${broken} of ${findings.length} need a hand.\n`,
  );
  return broken === 0 ? 0 : 1;
}
