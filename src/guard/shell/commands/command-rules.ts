import { echo, ignoring, kill, leaveLoop, printf, pwd } from "./builtins.ts";
import type { CommandRule } from "./command-rule.ts";
import { chmod, cp, mkdir, mv, rm, rmdir, tee, touch } from "./files/change-files.ts";
import { find } from "./files/find.ts";
import { ln } from "./files/link-files.ts";
import { tar } from "./files/tar.ts";
import { unzip } from "./files/unzip.ts";
import { curl } from "./programs/curl.ts";
import { date } from "./programs/date.ts";
import { git } from "./programs/git.ts";
import { node } from "./programs/node.ts";
import { npm, npx } from "./programs/npm.ts";
import { python3 } from "./programs/python.ts";
import { test } from "./test-command.ts";
import { awk } from "./text/awk.ts";
import { diff } from "./text/diff.ts";
import { grep, rg } from "./text/grep.ts";
import { jq } from "./text/jq.ts";
import { cat, cut, head, ls, sort, tail, tr, uniq, wc } from "./text/read-text.ts";
import { sed } from "./text/sed.ts";

/** What the check knows how to judge. A command that is on the owner's list but not here is asked about each time. */
export const commandRules: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries({
    ...{ awk, cat, cp, curl, cut, date, diff, echo, find, git, grep, head, jq, ls, mkdir, mv, node, npm, npx, printf },
    ...{ python3, rg, rm, sed, sort, tail, tar, test, touch, tr, uniq, unzip, wc },
    // not on the list as it ships
    ...{ chmod, kill, ln, rmdir, tee },
    true: ignoring,
  }),
  ["[", test],
]);

/** Part of the shell itself, and harmless wherever commands are allowed at all. */
export const shellRules: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries({ pwd, false: ignoring, ":": ignoring, break: leaveLoop, continue: leaveLoop }),
);
