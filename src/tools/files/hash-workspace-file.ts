import { createHash } from "node:crypto";
import { orRefusal } from "./refusal.ts";
import { withFile, withNameInWorkspace } from "./workspace-files.ts";

const maxHashedBytes = 64 * 1024 * 1024;

/** What a file holds right now, as a word that changes whenever the file does; anything that cannot be read is `absent`. */
export async function hashWorkspaceFile(workspace: string, path: string): Promise<string> {
  const hashed = await orRefusal("The file cannot be read", () =>
    withNameInWorkspace(workspace, path, "refuse", (held) =>
      withFile(held, async ({ handle, stats }) => {
        if (stats.size > maxHashedBytes) return { word: `large ${stats.size} ${stats.mtimeMs} ${stats.ino}` };
        const hash = createHash("sha256");
        for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk);
        return { word: hash.digest("hex") };
      }),
    ),
  );
  return "refused" in hashed ? "absent" : hashed.word;
}
