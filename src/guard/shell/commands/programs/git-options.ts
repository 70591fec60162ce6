import { type OptionNames, type OptionTable, optionTable } from "../parse-arguments.ts";

/** How differences are shown: diff, log, show, stash show. */
const diffOptions: OptionNames = {
  flag: `-p -u --patch -s --no-patch -W --function-context --raw --patch-with-raw --patch-with-stat --numstat --shortstat
    --cumulative --check --summary --name-only --name-status --compact-summary --binary --full-index --no-prefix
    --default-prefix -D --irreversible-delete --find-copies-harder --no-renames --rename-empty --follow --minimal -w
    --ignore-all-space -b --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
    --indent-heuristic --patience --histogram -R -a --text --exit-code --quiet -q --no-ext-diff --no-textconv
    --ita-invisible-in-index --ita-visible-in-index --pickaxe-all --pickaxe-regex -z -c --cc --combined-all-paths -m -r -t
    --no-abbrev --no-color --no-color-moved --no-color-moved-ws --no-relative --no-rename-empty --staged --cached
    --merge-base -1 -2 -3 --base --ours --theirs --remerge-diff --no-diff-merges`,
  data: `--stat-width --stat-name-width --stat-graph-width --stat-count --ws-error-highlight --src-prefix --dst-prefix
    --line-prefix --output-indicator-new --output-indicator-old --output-indicator-context -I --ignore-matching-lines
    --diff-algorithm --anchored --word-diff-regex --color-moved-ws --rotate-to --skip-to --find-object --diff-filter -S -G
    --diff-merges`,
  number: "-U --unified --inter-hunk-context -l",
  optional: `--stat --dirstat -X --dirstat-by-file --color --abbrev -B --break-rewrites -M --find-renames -C --find-copies
    --word-diff --color-words --color-moved --relative --ignore-submodules --submodule`,
  read: "-O",
  write: "--output",
  denied: "--ext-diff --textconv --no-index",
};

/** Which commits are shown: log, show. */
const revisionOptions: OptionNames = {
  flag: `-g --walk-reflogs --source --use-mailmap --mailmap --clear-decorations --no-decorate --graph
    --no-graph --oneline --all --reverse --topo-order --date-order --author-date-order --first-parent
    --merges --no-merges --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark --boundary
    --do-walk --full-history --dense --sparse --simplify-merges --simplify-by-decoration --ancestry-path-all
    --relative-date --parents --children --invert-grep --all-match -i --regexp-ignore-case -E --extended-regexp -F
    --fixed-strings -P --perl-regexp --basic-regexp --no-min-parents --no-max-parents --remove-empty --bisect --reflog
    --alternate-refs --single-worktree --ignore-missing --abbrev-commit --no-abbrev-commit --no-notes --log-size
    --show-pulls --exclude-first-parent-only --not --full-diff --unpacked --no-expand-tabs 
    --no-standard-notes --standard-notes`,
  data: `--decorate-refs --decorate-refs-exclude -L --since --after --until --before --since-as-filter --max-age --min-age
    --author --committer --grep --grep-reflog --skip --max-count --min-parents --max-parents --date --encoding --exclude
    --glob --exclude-hidden`,
  number: "-n",
  optional: `--decorate --pretty --format --branches --tags --remotes --notes --show-notes --expand-tabs --ancestry-path
    --no-walk --show-linear-break`,
  denied: "--show-signature",
};

const commitText = { message: "-m --message", read: "-F --file", denied: "-S --gpg-sign" };

const pathspecFile = { read: "--pathspec-from-file" };

const fetchOptions: OptionNames = {
  flag: `-v --verbose -q --quiet --all -a --append --atomic -f --force -m --multiple -t --tags -n --no-tags --prefetch -p
    --prune -P --prune-tags --dry-run --write-fetch-head -k --keep -u --update-head-ok --progress --unshallow --refetch
    --update-shallow -4 --ipv4 -6 --ipv6 --auto-maintenance --auto-gc --show-forced-updates --write-commit-graph
    --set-upstream --porcelain`,
  data: `-o --server-option --shallow-since --shallow-exclude --refmap --negotiation-tip --filter`,
  number: "-j --jobs --depth --deepen",
  optional: "--recurse-submodules",
  denied: "--upload-pack --stdin --submodule-prefix --recurse-submodules-default --negotiate-only",
};

const mergeOptions: OptionNames = {
  flag: `-n --stat --summary --squash --commit -e --edit --ff --ff-only --rerere-autoupdate -v --verbose -q --quiet
    --abort --quit --continue --allow-unrelated-histories --progress --autostash --overwrite-ignore --signoff --verify
    --no-verify --compact-summary --no-gpg-sign`,
  data: "--cleanup -s --strategy -X --strategy-option --into-name -m --message",
  optional: "--log",
  read: commitText.read,
  denied: `${commitText.denied} --verify-signatures`,
};

/** The options of each subcommand; the names of denied ones are listed so that abbreviations find them. */
const subcommands: Readonly<Record<string, OptionNames | readonly OptionNames[]>> = {
  status: {
    flag: "-v --verbose -s --short -b --branch --show-stash --ahead-behind --long -z --null --renames --no-renames",
    optional: "--porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames",
  },
  log: [diffOptions, revisionOptions],
  show: [diffOptions, revisionOptions],
  diff: diffOptions,
  add: {
    ...pathspecFile,
    flag: `-n --dry-run -v --verbose -i --interactive -p --patch -e --edit -f --force -u --update --renormalize -N
      --intent-to-add -A --all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse
      --warn-embedded-repo --pathspec-file-nul`,
    data: "--chmod",
  },
  commit: {
    ...commitText,
    flag: `-q --quiet -v --verbose --reset-author -s --signoff -e --edit --status -a --all -i --include --interactive -p
      --patch -o --only -n --no-verify --verify --dry-run --short --branch --ahead-behind --porcelain --long -z --null
      --amend --no-post-rewrite --post-rewrite --pathspec-file-nul --allow-empty --allow-empty-message --no-gpg-sign`,
    data: "--author --date -c --reedit-message -C --reuse-message --fixup --squash --trailer --cleanup",
    optional: "-u --untracked-files",
    read: `${commitText.read} -t --template --pathspec-from-file`,
  },
  branch: {
    flag: `-v --verbose -q --quiet --unset-upstream -r --remotes -a --all -d --delete -D -m --move -M -c --copy -C -l
      --list --show-current --create-reflog -f --force -i --ignore-case --recurse-submodules --omit-empty`,
    data: "--set-upstream-to -u --sort --points-at --format",
    optional: "-t --track --color --contains --no-contains --with --without --abbrev --merged --no-merged --column",
    denied: "--edit-description --set-upstream",
  },
  checkout: {
    ...pathspecFile,
    flag: `--guess --overlay -q --quiet --progress -m --merge -d --detach -f --force --overwrite-ignore
      --ignore-other-worktrees --ours -2 --theirs -3 -p --patch --ignore-skip-worktree-bits --pathspec-file-nul -l`,
    data: "-b -B --conflict --orphan",
    optional: "--recurse-submodules -t --track",
  },
  switch: {
    flag: `--guess --discard-changes -q --quiet --progress -m --merge -d --detach -f --force --overwrite-ignore
      --ignore-other-worktrees`,
    data: "-c --create -C --force-create --conflict --orphan",
    optional: "--recurse-submodules -t --track",
  },
  restore: {
    ...pathspecFile,
    flag: `-S --staged -W --worktree --ignore-unmerged --overlay -q --quiet --progress -m --merge --ours -2 --theirs -3 -p
      --patch --ignore-skip-worktree-bits --pathspec-file-nul`,
    data: "-s --source --conflict",
    optional: "--recurse-submodules",
  },
  stash: [
    diffOptions,
    {
      ...pathspecFile,
      flag: `-k --keep-index -S --staged -p --patch -q --quiet -u --include-untracked --only-untracked -a --all
          --pathspec-file-nul --index --oneline`,
      data: "-m --message -n",
      optional: "--format --pretty --date",
    },
  ],
  init: {
    flag: "-q --quiet --bare",
    data: "-b --initial-branch --object-format --ref-format",
    optional: "--shared",
    denied: "--template --separate-git-dir",
  },
  "rev-parse": {
    flag: `--all --verify -q --quiet --sq --symbolic --symbolic-full-name --not --flags --no-flags --revs-only --no-revs
      --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir
      --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-superproject-working-tree
      --shared-index-path --local-env-vars`,
    data: "--default --disambiguate --since --after --until --before --glob --exclude --path-format --prefix",
    optional: "--abbrev-ref --short --branches --tags --remotes --show-object-format --show-ref-format",
    read: "--git-path",
    denied: "--parseopt --sq-quote --resolve-git-dir",
  },
  blame: {
    flag: `--incremental --root -b --show-stats --progress --score-debug -f --show-name -n --show-number -p --porcelain
      --line-porcelain -c -t -l -s -e --show-email -w --color-lines --color-by-age --minimal --first-parent`,
    data: "-L --ignore-rev --date --since --encoding --reverse --diff-algorithm",
    optional: "--abbrev -C -M",
    read: "--contents -S --ignore-revs-file",
    denied: "--textconv --ext-diff",
  },
  "ls-files": {
    flag: `-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed --directory --eol
      --empty-directory -u --unmerged --resolve-undo --exclude-standard --full-name --recurse-submodules --error-unmatch
      --debug --deduplicate --sparse -z -t -v -f`,
    data: "-x --exclude --exclude-per-directory --with-tree --format",
    optional: "--abbrev",
    read: "-X --exclude-from",
  },
  grep: {
    flag: `--cached --untracked --exclude-standard --recurse-submodules -v --invert-match -i --ignore-case -w
      --word-regexp -a --text -I -r --recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P
      --perl-regexp -n --line-number --column --full-name -l --files-with-matches --name-only -L --files-without-match
      -z --null -o --only-matching -c --count --break --heading -p --show-function -W --function-context --and --or
      --not -q --quiet --all-match -h -H --index --no-textconv`,
    data: "-e",
    number: "--max-depth -C --context -B --before-context -A --after-context --threads -m --max-count",
    optional: "--color",
    read: "-f",
    denied: "--no-index --textconv -O --open-files-in-pager --ext-grep",
  },
  mv: { flag: "-v --verbose -n --dry-run -f --force -k --sparse" },
  rm: {
    ...pathspecFile,
    flag: "-n --dry-run -q --quiet --cached -f --force -r --ignore-unmatch --sparse --pathspec-file-nul",
  },
  tag: {
    flag: "-l --list -d --delete -a --annotate -e --edit -f --force --create-reflog -i --ignore-case --omit-empty",
    data: "--cleanup --sort --format --trailer -m --message",
    read: commitText.read,
    optional: "-n --column --contains --no-contains --with --without --merged --no-merged --points-at --color",
    denied: "-s --sign -u --local-user -v --verify",
  },
  merge: mergeOptions,
  fetch: fetchOptions,
  pull: [mergeOptions, fetchOptions, { flag: "--no-rebase", optional: "-r --rebase", denied: "--upload-pack" }],
  config: {
    flag: `--global --system --local --worktree --get --get-all --get-regexp -l --list --bool --int --bool-or-int
      --bool-or-str --path --expiry-date -z --null --name-only --includes --show-origin --show-scope --fixed-value`,
    data: "--type --default",
    read: "-f --file",
    denied: `--blob --get-urlmatch --get-color --get-colorbool --replace-all --add --unset --unset-all --rename-section
      --remove-section -e --edit`,
  },
};

export const gitOptions: ReadonlyMap<string, OptionTable> = new Map(
  Object.entries(subcommands).map(([name, lists]) => [name, optionTable(...[lists].flat())]),
);
