import { z } from "zod";
import { defineTool, type Tool } from "../../contract/tool.ts";
import { escapeLines, escapeName, quoteName } from "./escape-text.ts";
import { lockKey, type PathLocks } from "./path-locks.ts";
import { orRefusal, resultOf } from "./refusal.ts";
import { maxFileBytes, replaceFile } from "./replace-file.ts";
import { withNameAt } from "./workspace-files.ts";
import { findPlace } from "./workspace-path.ts";

const WriteArguments = z.object({
  path: z.string().describe("File, relative to the workspace"),
  content: z.string().describe("The whole new text"),
});

export function writeTool(deps: { locks: PathLocks }): Tool {
  return defineTool({
    name: "write",
    description:
      "Create a file or replace all of it; missing folders are made. To change a part of a file, use edit instead.",
    arguments: WriteArguments,
    effects: ["changes"],
    class: "idempotent",
    undo: { kind: "impossible", reason: "earlier versions of files are not kept yet" },
    paths: (args) => [{ path: args.path, access: "write" }],
    formatApproval: (args) => `Write ${escapeName(args.path)}, ${measure(args.content)}:\n${escapeLines(args.content)}`,
    run: async (context, { path, content }) => {
      const bytes = Buffer.from(content, "utf8");
      if (bytes.length > maxFileBytes) {
        const refused = `${quoteName(path)} was not written: the content has ${bytes.length} bytes`;
        return resultOf({ refused: `${refused}, and at most ${maxFileBytes} are taken. Write several files.` });
      }
      const place = await findPlace(context.workspace, path);
      if ("refused" in place) return resultOf(place);
      const written = await deps.locks.hold(lockKey(place), () =>
        orRefusal(`${quoteName(path)} was not written`, () =>
          withNameAt(place, "create", (held) => replaceFile(held, { content: bytes, signal: context.signal })),
        ),
      );
      if ("refused" in written) return resultOf(written);
      const verb = written.before ? "Replaced" : "Created";
      const earlier = written.before ? ` (before: ${written.before.size} bytes)` : "";
      const output = `${verb} ${quoteName(path)}: ${measure(content)}${earlier}.`;
      return { outcome: "done", output, wrote: [{ path, replaced: true }] };
    },
  });
}

function measure(content: string): string {
  const breaks = content.split("\n").length - 1;
  const lines = content === "" || content.endsWith("\n") ? breaks : breaks + 1;
  return `${Buffer.byteLength(content)} bytes, ${lines} ${lines === 1 ? "line" : "lines"}`;
}
