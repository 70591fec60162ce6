import type { FileLookup } from "./paths/file-lookup.ts";
import type { ShellRule } from "./shell-rule-words.ts";

/** What the shell check needs to know: where commands work, which they are, and how the disk looks. */
export type ShellPolicy = {
  /** Real path of the workspace. */
  workspace: string;
  allowedCommands: readonly string[];
  /** Of the allowed ones, those that are asked about each time. */
  askedCommands?: readonly string[];
  allowedHosts: readonly string[];
  /** Further folders that may be read; real paths. */
  readDirs?: readonly string[];
  /** Further folders that may be read and written; real paths. */
  writeDirs?: readonly string[];
  files: FileLookup;
  /** Something is mounted inside the workspace, so that a folder may have two names. */
  hasMounts: boolean;
};

export type ShellVerdict =
  | { verdict: "allow" }
  /** ask: a person could sensibly approve it. deny: it must never run unseen. */
  | { verdict: "ask" | "deny"; rule: ShellRule; reason: string; advice?: string };
