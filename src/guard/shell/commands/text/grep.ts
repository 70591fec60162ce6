import type { Site } from "../../objections.ts";
import { type CommandRule, checkInput, tableRule } from "../command-rule.ts";
import type { Call } from "../parse-arguments.ts";

export const grep: CommandRule = tableRule({
  options: {
    flag: `-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i -y --ignore-case
      --no-ignore-case -w --word-regexp -x --line-regexp -z --null-data -s --no-messages -v --invert-match -V --version
      --help -b --byte-offset -n --line-number --line-buffered -H --with-filename -h --no-filename -o --only-matching -q
      --quiet --silent -a --text -I -r --recursive -L --files-without-match -l --files-with-matches -c --count -T
      --initial-tab -Z --null --no-group-separator -U --binary -u --unix-byte-offsets`,
    data: `-e --regexp --label --binary-files -d --directories -D --devices --include --exclude --exclude-dir
      --group-separator`,
    number: "-m --max-count -B --before-context -A --after-context -C --context",
    read: "-f --file --exclude-from",
    optional: "--color --colour",
    denied: "-R --dereference-recursive",
  },
  numbers: true,
  operands(site, call) {
    checkSearch(site, call, call.has("-e", "--regexp", "-f", "--file"));
  },
});

export const rg: CommandRule = tableRule({
  options: {
    flag: `-s --case-sensitive -i --ignore-case -S --smart-case -F --fixed-strings -v --invert-match -x --line-regexp
      -w --word-regexp -U --multiline --multiline-dotall -P --pcre2 --auto-hybrid-regex --crlf --no-unicode --unicode
      --null-data --binary --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
      --no-ignore-messages --no-ignore-parent --no-ignore-vcs --ignore --ignore-dot --ignore-exclude --ignore-files
      --ignore-global --ignore-messages --ignore-parent --ignore-vcs --ignore-file-case-insensitive
      --no-ignore-file-case-insensitive --no-require-git --require-git --glob-case-insensitive
      --no-glob-case-insensitive -. --hidden --no-hidden --one-file-system --no-one-file-system -u --unrestricted -a
      --text --no-text -z --search-zip --no-search-zip --no-follow --no-pre --mmap --no-mmap -b --byte-offset
      --no-byte-offset --column --no-column --heading --no-heading -h --help -V --version -I --no-filename -H
      --with-filename --include-zero --no-include-zero --line-buffered --no-line-buffered --block-buffered
      --no-block-buffered -n --line-number -N --no-line-number --max-columns-preview --no-max-columns-preview -0 --null
      -o --only-matching --passthru --passthrough -p --pretty -q --quiet --trim --no-trim --vimgrep --no-context-separator
      -c --count --count-matches -l --files-with-matches --files-without-match --files --json --no-json --debug --trace
      --stats --no-stats --no-messages --messages --no-config --type-list --pcre2-version --stop-on-nonmatch
      --no-stop-on-nonmatch --no-crlf --no-fixed-strings --no-invert-match --no-multiline --no-multiline-dotall --no-pcre2
      --no-binary --no-encoding --sort-files --no-sort-files --no-auto-hybrid-regex --pcre2-unicode --no-pcre2-unicode`,
    data: `-e --regexp -g --glob --iglob -t --type -T --type-not --type-add --type-clear -E --encoding --engine -r
      --replace --color --colors --context-separator --field-context-separator --field-match-separator
      --hyperlink-format --path-separator --sort --sortr --pre-glob --generate`,
    number: `-A --after-context -B --before-context -C --context -m --max-count -M --max-columns -d --max-depth
      --maxdepth -j --threads --max-filesize --dfa-size-limit --regex-size-limit`,
    read: "-f --file --ignore-file",
    denied: "--pre --hostname-bin -L --follow",
  },
  exactNames: true,
  operands(site, call) {
    checkSearch(site, call, call.has("-e", "--regexp", "-f", "--file", "--files", "--type-list"));
  },
});

/** Unless an option says what is looked for, the first operand does; the others are files. */
function checkSearch(site: Site, call: Call, patternGiven: boolean): void {
  const [pattern, ...files] = call.operands;
  for (const file of patternGiven ? call.operands : files) checkInput(site, file);
  if (!patternGiven && pattern?.kind === "stream")
    site.ask("option", `${site.command} takes a process substitution as its pattern`);
}
