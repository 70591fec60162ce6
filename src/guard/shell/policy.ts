/** What the shell check needs to know: where commands work, which they are, and how the disk looks. */
export type ShellPolicy = {
  /** Real path of the workspace. */
  workspace: string;
  allowedCommands: readonly string[];
  allowedHosts: readonly string[];
  /** Further folders that may be read; real paths. */
  readDirs?: readonly string[];
  /** Further folders that may be read and written; real paths. */
  writeDirs?: readonly string[];
  /** True: nothing may be written anywhere. */
  readsOnly?: boolean;
  files: FileLookup;
};

export type FileKind = "file" | "folder" | "link" | "other";

export type FileLookup = {
  /** The path with every symlink resolved, or undefined when nothing is there. */
  realpath(path: string): string | undefined;
  /** What lies at the path itself, links not followed. */
  lstat(path: string): FileKind | undefined;
  /** The names in a folder; none when it cannot be listed. */
  readdir(path: string): readonly string[];
};

export type ShellRule =
  | "parse"
  | "command"
  | "environment"
  | "re-evaluation"
  | "unknown value"
  | "path"
  | "redirection"
  | "protected path"
  | "symlink walk"
  | "code as argument"
  | "option"
  | "curl"
  | "rm";

export type ShellVerdict =
  | { verdict: "allow" }
  /** ask: a person could sensibly approve it. deny: it must never run unseen. */
  | { verdict: "ask" | "deny"; rule: ShellRule; reason: string };

export const defaultAllowedCommands: readonly string[] =
  "ls cat head tail grep rg find sort uniq wc cut tr sed awk jq node npm npx git mkdir cp mv rm touch echo printf date diff tar unzip curl python3 test [ true".split(
    " ",
  );

export const defaultAllowedHosts: readonly string[] = ["example.com", "api.example.com"];
