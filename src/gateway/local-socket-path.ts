import { createHash } from "node:crypto";
import { chmod, lstat, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../contract/failure.ts";

// the system allows 107 bytes for the path of a socket
const maxBytes = 100;

/** In the data folder if its name is short enough, else in a folder of the user's own among the temporary ones. */
export async function localSocketPath(home: string): Promise<string> {
  const inHome = join(home, "data", "steward.sock");
  if (Buffer.byteLength(inHome) <= maxBytes) return inHome;
  const uid = process.getuid?.() ?? -1;
  const folder = join(tmpdir(), `steward-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid)
    throw new Failure(`${folder} belongs to somebody else. Remove it, or set STEWARD_HOME to a shorter path.`);
  await chmod(folder, 0o700);
  return join(folder, `${createHash("sha256").update(home).digest("hex").slice(0, 16)}.sock`);
}
