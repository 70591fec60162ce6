import { type CommandRule, checkInputAndOutput, tableRule } from "../command-rule.ts";

/** Commands that read files and print. */

export const cat: CommandRule = tableRule({
  options: {
    flag: `-A --show-all -b --number-nonblank -e -E --show-ends -n --number -s --squeeze-blank -t -T --show-tabs -u -v
      --show-nonprinting --help --version`,
  },
  operands: "read",
});

export const head: CommandRule = tableRule({
  options: {
    flag: "-q --quiet --silent -v --verbose -z --zero-terminated --help --version",
    number: "-c --bytes -n --lines",
  },
  numbers: true,
  operands: "read",
});

export const tail: CommandRule = tableRule({
  options: {
    flag: "-f -F -q --quiet --silent --retry -v --verbose -z --zero-terminated --debug --help --version",
    number: "-c --bytes -n --lines --max-unchanged-stats --pid -s --sleep-interval",
    optional: "--follow",
  },
  numbers: true,
  operands: "read",
});

export const wc: CommandRule = tableRule({
  options: {
    flag: "-c --bytes -m --chars -l --lines -L --max-line-length -w --words --debug --help --version",
    data: "--total",
    denied: "--files0-from",
  },
  operands: "read",
});

export const cut: CommandRule = tableRule({
  options: {
    flag: "-n --complement -s --only-delimited -z --zero-terminated --help --version",
    data: "-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter",
  },
  operands: "read",
});

export const tr: CommandRule = tableRule({
  options: { flag: "-c -C --complement -d --delete -s --squeeze-repeats -t --truncate-set1 --help --version" },
  optionsFirst: true,
  operands: "data",
});

export const ls: CommandRule = tableRule({
  options: {
    flag: `-a --all -A --almost-all --author -b --escape -B --ignore-backups -c -C -d --directory -D --dired -f -F
      --file-type --full-time -g --group-directories-first -G --no-group -h --human-readable --si -H
      --dereference-command-line --dereference-command-line-symlink-to-dir -i --inode -k --kibibytes -l -L --dereference
      -m -n --numeric-uid-gid -N --literal -o -p -q --hide-control-chars --show-control-chars -Q --quote-name -r
      --reverse -R --recursive -s --size -S -t -u -U -v -x -X -Z --context --zero -1 --help --version`,
    data: "--block-size --format --hide --indicator-style -I --ignore --quoting-style --sort --time --time-style",
    number: "-T --tabsize -w --width",
    optional: "--color --classify --hyperlink",
  },
  operands: "read",
  check(site, call) {
    if (call.has("-L", "--dereference") && call.has("-R", "--recursive"))
      site.deny("symlink walk", "ls -R with -L follows links while it walks");
  },
});

export const sort: CommandRule = tableRule({
  options: {
    flag: `-b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i
      --ignore-nonprinting -M --month-sort -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V
      --version-sort -c -C --debug -m --merge -s --stable -u --unique -z --zero-terminated --help --version`,
    data: "--sort -k --key -t --field-separator -S --buffer-size",
    number: "--batch-size --parallel",
    optional: "--check",
    write: "-o --output -T --temporary-directory",
    denied: "--compress-program --files0-from --random-source",
  },
  operands: "read",
});

export const uniq: CommandRule = tableRule({
  options: {
    flag: "-c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated --help --version",
    number: "-f --skip-fields -s --skip-chars -w --check-chars",
    optional: "--all-repeated --group",
  },
  numbers: true,
  operands: (site, call) => checkInputAndOutput(site, call),
});
