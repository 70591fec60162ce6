import { optionTable } from "../option-table.ts";

export const tarOptions = optionTable({
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
