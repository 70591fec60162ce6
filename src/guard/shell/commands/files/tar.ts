import { type Field, showText, textField } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { type Access, checkPath, checkPathText, knownText, siteInFolder } from "../../paths/check-path.ts";
import { type CommandRule, checkOptionValue } from "../command-rule.ts";
import { type Call, type Option, optionTable, parseArguments } from "../parse-arguments.ts";

const tarOptions = optionTable({
  flag: `-A --catenate --concatenate -c --create --delete -d --diff --compare -r --append --test-label -t --list -u
    --update -x --extract --get --check-device -G --incremental --ignore-failed-read --no-check-device --no-seek -n --seek
    -S --sparse --exclude-backups --exclude-caches --exclude-caches-all --exclude-caches-under --exclude-vcs
    --exclude-vcs-ignores --no-null --no-recursion --no-unquote --no-verbatim-files-from --null --recursion --unquote
    --verbatim-files-from --anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards
    --no-wildcards-match-slash --wildcards --wildcards-match-slash --keep-directory-symlink --keep-newer-files -k
    --keep-old-files --no-overwrite-dir --overwrite --overwrite-dir --remove-files --skip-old-files -U --unlink-first -W
    --verify --ignore-command-error --no-ignore-command-error -O --to-stdout --clamp-mtime --delay-directory-restore -m
    --touch --no-delay-directory-restore --no-same-owner --no-same-permissions --numeric-owner -p --preserve-permissions
    --same-permissions --same-owner -s --preserve-order --same-order --acls --no-acls --no-selinux --no-xattrs --selinux
    --xattrs -B --read-full-records -i --ignore-zeros --old-archive --portability --posix -a --auto-compress -j --bzip2 -J
    --xz --lzip --lzma --lzop --no-auto-compress --zstd -z --gzip --gunzip --ungzip -Z --compress --uncompress
    --hard-dereference --one-file-system --full-time -l --check-links -R --block-number --show-defaults
    --show-omitted-dirs --show-snapshot-field-ranges --show-transformed-names --show-stored-names --utc -v --verbose -w
    --interactive --confirmation -o -? --help --restrict --usage --version`,
  data: `-f --file -C --directory --exclude --exclude-tag --exclude-tag-all --exclude-tag-under --exclude-ignore
    --exclude-ignore-recursive --hole-detection --sparse-version --group --mode --mtime --owner --sort --xattrs-exclude
    --xattrs-include -H --format --pax-option -V --label -K --starting-file --newer-mtime -N --newer --after-date --suffix
    --transform --xform --no-quote-chars --quote-chars --quoting-style --warning`,
  number: "--level -L --tape-length -b --blocking-factor --record-size --strip-components",
  optional: "--occurrence --atime-preserve --backup --checkpoint --totals",
  "optional-write": "--one-top-level",
  read: "--add-file -X --exclude-from --group-map --owner-map",
  write: "-g --listed-incremental --volno-file --index-file",
  denied: `-T --files-from --recursive-unlink --to-command --force-local -F --info-script --new-volume-script -M
    --multi-volume --rmt-command --rsh-command -I --use-compress-program -h --dereference -P --absolute-names
    --checkpoint-action --set-mtime-command --set-mtime-format`,
});

type Mode = "create" | "extract" | "look";

export const tar: CommandRule = (site, args) => {
  const call = parseArguments(site, { table: tarOptions }, withDashes(args));
  const mode = modeOf(site, call);
  let here = site;
  let named = false;
  for (const item of call.inOrder) {
    if (!("name" in item)) {
      checkMember(here, call, mode, item);
      named = true;
    } else if (item.name === "-C" || item.name === "--directory") {
      if (item.value) here = siteInFolder(here, item.value, mode === "extract" ? "write" : "read");
    } else checkOption(site, item, mode);
  }
  if (mode === "extract" && !named) checkPathText(here, ".", "write");
};

/** The old way: letters without a dash, whose values follow in the order of the letters. */
function withDashes(args: readonly Field[]): Field[] {
  const [first, ...rest] = args;
  if (first?.kind !== "text" || first.text.startsWith("-")) return [...args];
  const values = [...rest];
  const options: Field[] = [];
  for (const letter of first.text) {
    options.push(textField(`-${letter}`));
    const kind = tarOptions.get(`-${letter}`);
    if (kind && kind !== "flag" && kind !== "denied") {
      const value = values.shift();
      if (value) options.push(value);
    }
  }
  return [...options, ...values];
}

function modeOf(site: Site, call: Call): Mode {
  if (call.has("-x", "--extract", "--get")) return "extract";
  if (call.has("-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate", "--delete"))
    return "create";
  if (!call.has("-t", "--list", "-d", "--diff", "--compare", "--test-label", "--version", "--help", "--usage"))
    site.ask("option", "tar without an operation is not understood");
  return "look";
}

function checkMember(here: Site, call: Call, mode: Mode, member: Field): void {
  if (mode === "create") checkPath(here, member, call.has("--remove-files") ? "remove" : "read");
  else if (mode === "extract" && !call.has("-O", "--to-stdout")) checkPath(here, member, "write");
  else if (call.has("-d", "--diff", "--compare")) checkPath(here, member, "read");
  else knownText(here, member);
}

function checkOption(site: Site, option: Option, mode: Mode): void {
  const { name, value } = option;
  if (name === "-f" || name === "--file") {
    checkArchive(site, value, mode === "create" ? "write" : "read");
    return;
  }
  if (/^(?:--transform|--xform|--keep-directory-symlink)$/.test(name) && mode === "extract")
    site.ask("option", `tar ${name} would extract to places that cannot be foreseen`);
  // these take a date, or a file whose date counts
  if (/^(?:-N|--newer|--after-date|--mtime)$/.test(name) && value?.kind === "text" && /^[./]/.test(value.text))
    checkPath(site, value, "read");
  checkOptionValue(site, option.kind, value);
}

function checkArchive(site: Site, archive: Field | undefined, access: Access): void {
  const text = archive && knownText(site, archive);
  if (text === undefined || text === "-") return;
  if (text.includes(":")) site.deny("path", `tar takes ${showText(text)} for an archive on another machine`);
  checkPathText(site, text, access);
}
