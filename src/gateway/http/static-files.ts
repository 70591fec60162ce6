import { createHash } from "node:crypto";
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export type StaticFile = { bytes: Buffer; zipped: Buffer | undefined; type: string; etag: string };

/** The built page's files, each read and compressed once and kept in memory while it does not change. */
export type StaticFiles = { find(segments: readonly string[]): Promise<StaticFile | undefined> };

const maxFileBytes = 8 * 1024 * 1024;
const maxKeptBytes = 16 * 1024 * 1024;
const worthZippingBytes = 512;
const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};
const packedAlready = new Set([".png", ".webp", ".woff2"]);
const zip = promisify(gzip);

export function openStaticFiles(folder: string): StaticFiles {
  const kept = new Map<string, { stamp: string; file: StaticFile }>();
  return {
    async find(segments) {
      const found = await locate(folder, segments);
      if (!found) return undefined;
      const known = kept.get(found.path);
      if (known?.stamp === found.stamp) return known.file;
      const file = await load(found.path);
      kept.delete(found.path);
      kept.set(found.path, { stamp: found.stamp, file });
      dropOldest();
      return file;
    },
  };

  function dropOldest(): void {
    let total = [...kept.values()].reduce((sum, { file }) => sum + sizeOf(file), 0);
    for (const [path, { file }] of kept) {
      if (total <= maxKeptBytes) return;
      kept.delete(path);
      total -= sizeOf(file);
    }
  }
}

// resolved to what really lies there, so that no link and no spelling leads out of the folder
async function locate(folder: string, segments: readonly string[]) {
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || /[/\\\0]/.test(segment)))
    return undefined;
  try {
    const root = await realpath(folder);
    const path = await realpath(join(root, ...segments));
    const found = await stat(path);
    if (!path.startsWith(root + sep) || !found.isFile() || found.size > maxFileBytes) return undefined;
    return extname(path) in types ? { path, stamp: `${found.size}-${found.mtimeMs}` } : undefined;
  } catch {
    // not there, or not readable: both are "nothing at this address" to whoever asks
    return undefined;
  }
}

async function load(path: string): Promise<StaticFile> {
  const bytes = await readFile(path);
  const extension = extname(path);
  const small = packedAlready.has(extension) || bytes.length < worthZippingBytes;
  return {
    bytes,
    zipped: small ? undefined : await zip(bytes, { level: 9 }),
    type: types[extension] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
  };
}

function sizeOf(file: StaticFile): number {
  return file.bytes.length + (file.zipped?.length ?? 0);
}
