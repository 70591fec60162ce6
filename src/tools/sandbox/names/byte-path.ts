import { dirname } from "node:path";

/** A path as it lies on the disk, one character for each byte: what a disk takes for a name need not be text. */
export type BytePath = string & { readonly spelling: "bytes" };

export function bytePath(text: string): BytePath {
  return asBytePath(Buffer.from(text).toString("latin1"));
}

/** Of what the disk was asked for in this spelling, or what is put together of such. */
export function asBytePath(bytes: string): BytePath {
  return bytes as BytePath;
}

export function bytesOf(path: BytePath): Buffer {
  return Buffer.from(path, "latin1");
}

export function textOf(path: BytePath): string {
  return bytesOf(path).toString("utf8");
}

export function below(folder: BytePath, name: string): BytePath {
  return asBytePath(folder === "" ? name : name === "" ? folder : `${folder}/${name}`);
}

export function folderOf<Path extends string>(path: Path): Path {
  return (path.includes("/") ? dirname(path) : "") as Path;
}
