// What stays of a deleted conversation, or of a message, in the audit log: that something was done, when, by which tool and rule, and no word of it.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { auditFiles, type Deletion, digestOf, goesWith, readAuditLine } from "../../store/audit/audit-log.ts";

export type Blanked = Deletion & { lines: number; digest: string };

const kept = new Set(
  "seq at type conversation turn step callId approvalId tool rule outcome decision ending finish model usage costUsd durationMs channel previous hash".split(
    " ",
  ),
);

/** The hash and place of each line stay, so the chain holds; doing it again changes nothing. */
export async function blankAudit(folder: string, deletions: readonly Deletion[]): Promise<readonly Blanked[]> {
  const left = deletions.map(() => [] as string[]);
  const goes = deletions.map(goesWith);
  for (const file of await auditFiles(folder)) {
    const path = join(folder, file);
    const before = await readFile(path, "utf8");
    const after = before.split("\n").map(blankIfDeleted).join("\n");
    if (after === before) continue;
    await writeFile(`${path}.new`, after, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }
  return deletions.map((deletion, at) => ({
    ...deletion,
    lines: left[at]?.length ?? 0,
    digest: digestOf(left[at] ?? []),
  }));

  function blankIfDeleted(text: string): string {
    if (!deletions.some(({ key }) => text.includes(JSON.stringify(key)))) return text;
    const line = readAuditLine(text);
    const places = goes.flatMap((isGone, at) => (line && isGone(line) ? [at] : []));
    if (!line || places.length === 0) return text;
    const blank = line.blank ? text : withoutWords(text);
    for (const at of places) left[at]?.push(blank);
    return blank;
  }
}

function withoutWords(text: string): string {
  const { previous, hash, ...rest }: Record<string, unknown> = JSON.parse(text);
  const place = Object.fromEntries(Object.entries(rest).filter(([name]) => kept.has(name)));
  return JSON.stringify({ ...place, blank: true, previous, hash });
}
