// One line for the notes of whoever it is: the guard sees it as any change of these files, and whose words it is stands in it.
import { z } from "zod";
import { diffLines } from "../../contract/diff/line-diff.ts";
import type { TextFiles } from "../../contract/text-files.ts";
import {
  type Asked,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  textResult,
} from "../../contract/tool.ts";
import { openCalendar } from "../../contract/words/calendar.ts";
import { findKnown, mostCharacters, noteLine, withLine } from "./note-line.ts";

export type RememberDeps = {
  files: TextFiles;
  /** Whose words a conversation holds. */
  labelsIn(conversation: string): Promise<readonly string[]>;
  nowMs(): number;
  timeZone: string;
  redact(text: string): string;
};

const noteName = /^(?:memory\/)?([\p{L}\p{N}][\p{L}\p{N}_-]{0,79})(?:\.md)?$/u;

const Wish = z.object({
  text: z.string().trim().min(1).max(mostCharacters),
  file: z
    .string()
    .refine((file) => noteName.test(file), "write memory/NAME.md, with letters, digits and dashes in the name")
    .optional()
    .describe("instead of MEMORY.md: memory/NAME.md"),
});
type Wish = z.infer<typeof Wish>;

export function rememberTool(deps: RememberDeps): Tool {
  const dayAt = openCalendar(deps.timeZone);
  return defineTool({
    name: "remember",
    description: "Note a lasting fact in one line.",
    arguments: Wish,
    result: textResult,
    effects: ["changes"],
    class: "idempotent",
    undo: { kind: "checkpointed" },
    paths: (args) => [{ path: pathOf(args), access: "write" }],
    formatApproval: (args) => `Write down in ${pathOf(args)}:\n${args.text}`,
    async preview(asked, args) {
      const before = (await deps.files.read(asked, pathOf(args))) ?? "";
      const after = withLine(before, await lineOf(asked, args));
      // what was there is masked, what comes is shown as it is
      const shown = diffLines(deps.redact(before), `${deps.redact(before)}${after.slice(before.length)}`);
      return `Write down in ${pathOf(args)}:\n${shown.text}`;
    },
    idleBecause: async (asked, args) =>
      whyNotKept(deps, args) ?? knownWords(args, (await deps.files.read(asked, pathOf(args))) ?? ""),
    run,
  });

  async function run(context: ToolContext, args: Wish): Promise<ToolResult> {
    const kept = whyNotKept(deps, args);
    if (kept !== undefined) return { outcome: "failed", output: kept };
    const path = pathOf(args);
    const line = await lineOf(context, args);
    const changed = await deps.files.change(context, path, (before) =>
      findKnown(before, args.text) === undefined ? withLine(before, line) : before,
    );
    // run again after a crash, what it has written then still bears whose words they are
    const wrote = [{ path, replaced: false }];
    switch (changed.kind) {
      case "changed":
        return { outcome: "done", output: `Written down in ${path}: ${line}`, wrote, changes: changed.changes };
      case "as it was":
        return { outcome: "done", output: `That stands in ${path} already; nothing was changed.`, wrote };
      case "refused":
        return { outcome: "failed", output: changed.why };
      default:
        return changed satisfies never;
    }
  }

  async function lineOf(
    { conversation, group }: Pick<Asked, "conversation" | "group">,
    { text }: Wish,
  ): Promise<string> {
    const all = conversation === undefined ? [] : await deps.labelsIn(conversation);
    // in a group its members speak, for whom it is; what they bring in from elsewhere counts as anywhere
    const labels = group ? all.filter((label) => !label.startsWith("person:")) : all;
    return noteLine({ text, day: dayAt(deps.nowMs()), labels });
  }
}

function pathOf({ file }: Wish): string {
  const name = noteName.exec(file ?? "")?.[1];
  const isMain = name === undefined || (name === "MEMORY" && !file?.includes("/"));
  return isMain ? "MEMORY.md" : `memory/${name}.md`;
}

/** Notes are read into every conversation. */
function whyNotKept({ redact }: RememberDeps, { text }: Wish): string | undefined {
  if (redact(text) === text) return undefined;
  return "It was not written down: it seems to hold a password or a key, and notes are read into every conversation. Keep it in a password manager.";
}

function knownWords(args: Wish, note: string): string | undefined {
  if (findKnown(note, args.text) === undefined) return undefined;
  return `That stands in ${pathOf(args)} already; nothing was changed.`;
}
