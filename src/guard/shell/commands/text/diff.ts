import type { Site } from "../../objections.ts";
import { isReadable, realPathOf } from "../../paths/check-path.ts";
import { walkTree } from "../../paths/file-lookup.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";
import type { Call } from "../parse-arguments.ts";

export const diff: CommandRule = tableRule({
  options: {
    flag: `-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --normal -q --brief -s --report-identical-files -c -u -e --ed -n --rcs -y --side-by-side --left-column
      --suppress-common-lines -p --show-c-function -t --expand-tabs -T --initial-tab --suppress-blank-empty -r
      --recursive --no-dereference -N --new-file -P --unidirectional-new-file --ignore-file-name-case
      --no-ignore-file-name-case -i --ignore-case -E --ignore-tab-expansion -Z --ignore-trailing-space -b
      --ignore-space-change -w --ignore-all-space -B --ignore-blank-lines -a --text --strip-trailing-cr -d --minimal -H
      --speed-large-files --help -v --version --inhibit-hunk-merge`,
    data: `-F --show-function-line --label -L -x --exclude -S --starting-file -I --ignore-matching-lines -D --ifdef
      --old-group-format --new-group-format --changed-group-format --unchanged-group-format --line-format
      --old-line-format --new-line-format --unchanged-line-format --palette`,
    number: "-C -U -W --width --tabsize --horizon-lines",
    optional: "--context --unified --color",
    read: "-X --exclude-from --from-file --to-file",
    denied: "-l --paginate",
  },
  numbers: true,
  operands: "read",
  check(site, call) {
    if (call.has("-r", "--recursive") && !call.has("--no-dereference")) refuseLinksOut(site, call);
  },
});

/** diff -r follows links by itself, so the folders are searched for links that lead out. */
function refuseLinksOut(site: Site, call: Call): void {
  const { files } = site.policy;
  for (const operand of call.operands) {
    const folder = operand.kind === "text" ? realPathOf(site, operand.text) : undefined;
    if (folder === undefined || !isReadable(site.policy, folder)) continue;
    const complete = walkTree(files, folder, (path, kind) => {
      const real = kind === "link" ? files.realpath(`${folder}/${path}`) : undefined;
      if (real !== undefined && !isReadable(site.policy, real))
        site.deny("symlink walk", `diff -r would follow ${path} out of the workspace`);
    });
    if (!complete) site.ask("symlink walk", "diff -r follows links, and the folder is too large to search for them");
  }
}
