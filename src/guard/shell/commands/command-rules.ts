import type { CommandRule } from "../command-rule.ts";
import { awk } from "./awk.ts";
import { curl } from "./curl.ts";
import { diff } from "./diff.ts";
import { find } from "./find.ts";
import { git } from "./git.ts";
import { grep } from "./grep.ts";
import { jq } from "./jq.ts";
import { cp, mv } from "./move-files.ts";
import { node } from "./node.ts";
import { npm } from "./npm.ts";
import { npx } from "./npx.ts";
import { python3 } from "./python.ts";
import { cat, cut, head, ls, tail, tr, wc } from "./read-text.ts";
import { rg } from "./ripgrep.ts";
import { rm } from "./rm.ts";
import { sed } from "./sed.ts";
import { date, echo, ignoring, leaveLoop, mkdir, printf, pwd, touch } from "./small-commands.ts";
import { sort, uniq } from "./sort.ts";
import { tar } from "./tar.ts";
import { test } from "./test-command.ts";
import { unzip } from "./unzip.ts";

/** What the check knows how to judge. A command that is on the owner's list but not here is asked about each time. */
export const commandRules: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries({
    ...{ awk, cat, cp, curl, cut, date, diff, echo, find, git, grep, head, jq, ls, mkdir, mv, node, npm, npx, printf },
    ...{ python3, rg, rm, sed, sort, tail, tar, test, touch, tr, uniq, unzip, wc },
    true: ignoring,
  }),
  ["[", test],
]);

/** Part of the shell itself, and harmless wherever commands are allowed at all. */
export const shellRules: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries({ pwd, false: ignoring, ":": ignoring, break: leaveLoop, continue: leaveLoop }),
);
