import { posix } from "node:path";
import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { type Access, checkPath, checkPathText, isReadable, knownText, realPathOf } from "../../paths/check-path.ts";
import { walkTree } from "../../paths/file-lookup.ts";
import { ownPart, protectedPart, secretPart } from "../../paths/protected-paths.ts";
import { absolutePath, isInside } from "../../paths/real-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";
import type { Call } from "../parse-arguments.ts";

export const mkdir: CommandRule = tableRule({
  options: { flag: "-p --parents -v --verbose -Z --help --version", data: "-m --mode", optional: "--context" },
  operands: "write",
});

export const touch: CommandRule = tableRule({
  options: {
    flag: "-a -c --no-create -f -h --no-dereference -m --help --version",
    data: "-d --date -t --time",
    read: "-r --reference",
  },
  operands: "write",
});

const targetOptions = {
  optional: "--backup --update",
  data: "-S --suffix",
  write: "-t --target-directory",
};

export const cp: CommandRule = tableRule({
  options: {
    ...targetOptions,
    flag: `-a --archive --attributes-only -b --copy-contents -d -f --force -i --interactive -H -L --dereference -n
      --no-clobber -P --no-dereference -p --parents -R -r --recursive --remove-destination --strip-trailing-slashes -T
      --no-target-directory -u -v --verbose -x --one-file-system -Z --debug --keep-directory-symlink --help --version`,
    optional: `${targetOptions.optional} --preserve --reflink --context`,
    data: `${targetOptions.data} --no-preserve --sparse`,
    denied: "-s --symbolic-link -l --link",
  },
  operands(site, call) {
    const recursive = call.has("-a", "--archive", "-R", "-r", "--recursive");
    refuseMovedLinks(site, "ln");
    if (recursive && call.has("-L", "--dereference"))
      site.deny("symlink walk", "cp -r with -L follows links while it walks");
    checkTransfer(site, call, "read", recursive);
  },
});

export const mv: CommandRule = tableRule({
  options: {
    ...targetOptions,
    flag: `-b -f --force -i --interactive -n --no-clobber --no-copy --exchange --strip-trailing-slashes -T
      --no-target-directory -u -v --verbose -Z --context --debug --help --version`,
  },
  operands(site, call) {
    refuseMovedLinks(site, "ln");
    checkTransfer(site, call, "remove", true);
  },
});

/** Where a link of the same line comes to lie decides what it means, and that cannot be seen before it runs. */
export function refuseMovedLinks(site: Site, ...others: readonly string[]): void {
  const other = others.find((name) => site.seen.has(name));
  if (other)
    site.ask("path", `${site.command} and ${other} in one line could move a link to where it means something else`);
}

export const rm: CommandRule = tableRule({
  options: {
    flag: "-r -R -f -v -i -d",
    denied: `-I --force --interactive --one-file-system --no-preserve-root --preserve-root --recursive --dir --verbose
      --help --version`,
  },
  operands(site, call) {
    for (const operand of call.operands) {
      checkPath(site, operand, "remove");
      refuseEverything(site, operand);
      checkTreeFree(site, operand);
    }
  },
});

export const rmdir: CommandRule = tableRule({
  options: { flag: "-p --parents -v --verbose --ignore-fail-on-non-empty --help --version" },
  operands(site, call) {
    for (const operand of call.operands) checkPath(site, operand, "remove");
  },
});

export const tee: CommandRule = tableRule({
  options: { flag: "-a --append -i --ignore-interrupts -p --help --version", optional: "--output-error" },
  operands: "write",
});

export const chmod: CommandRule = tableRule({
  options: {
    flag: "-c --changes -f --silent --quiet -v --verbose -R --recursive --preserve-root --help --version",
    read: "--reference",
    denied: "--no-preserve-root --dereference --no-dereference -h -H -L -P",
  },
  operands(site, call) {
    const hasMode = !call.has("--reference");
    const mode = hasMode ? call.operands[0] : undefined;
    const files = call.operands.slice(hasMode ? 1 : 0);
    const text = mode && knownText(site, mode);
    if (text !== undefined && /s|^0*[2-7]\d{3}$/.test(text))
      site.ask("option", `chmod ${showText(text)} lets others run it as its owner`);
    for (const file of files) {
      checkPath(site, file, "write");
      if (file.kind === "text" && realPathOf(site, file.text) === site.policy.workspace)
        site.ask("protected path", "chmod would close or open the workspace itself");
      if (call.has("-R", "--recursive")) checkTreeFree(site, file, "change");
    }
  },
});

/** `*` at the root of the workspace, in whatever spelling, is the workspace. */
function refuseEverything(site: Site, operand: Field): void {
  if (operand.kind !== "text" || operand.pattern === undefined) return;
  const slash = operand.pattern.lastIndexOf("/");
  const name = operand.pattern.slice(slash + 1).replaceAll(/\[[^\]]*\]/g, "");
  if (/[^*?.]/.test(name)) return;
  if (realPathOf(site, operand.pattern.slice(0, slash + 1)) === site.policy.workspace)
    site.deny("rm", `rm ${showText(operand.pattern)} would empty the workspace`);
}

/** Sources, and where each of them comes to lie. */
function checkTransfer(site: Site, call: Call, access: Access, recursive: boolean): void {
  const folder = call.options.find((option) => option.kind === "write")?.value;
  const sources = folder ? call.operands : call.operands.slice(0, -1);
  const target = folder ?? call.operands.at(-1);
  for (const source of sources) {
    checkPath(site, source, access);
    if (access === "remove") checkTreeFree(site, source);
  }
  if (!target) return;
  if (target.kind !== "text" || sources.length === 0) {
    checkPath(site, target, "write");
    return;
  }
  if (target.pattern !== undefined && target.text !== target.pattern) {
    const shown = showText(target.text);
    site.ask("unknown value", `${site.command} would put files where a glob happens to end: ${shown}`);
  }
  if (target.text === "/dev/null" && access === "remove") checkPath(site, target, "remove");
  for (const source of sources) {
    if (source.kind === "text")
      checkArrival(site, call, source.text, target.text, { folder: Boolean(folder), recursive });
  }
}

function checkArrival(
  site: Site,
  call: Call,
  source: string,
  target: string,
  how: { folder: boolean; recursive: boolean },
): void {
  const place = placeOf(site, call, source, target, how.folder);
  checkPathText(site, place, "write");
  const suffix = call.options.find((option) => option.name === "-S" || option.name === "--suffix")?.value;
  if (suffix?.kind === "text") checkPathText(site, place + suffix.text, "write");
  if (how.recursive) checkContents(site, source, place);
}

function placeOf(site: Site, call: Call, source: string, target: string, targetIsFolder: boolean): string {
  if (call.has("--parents")) return `${target}/${source}`;
  const real = realPathOf(site, target);
  // whether there is a folder outside is nobody's business; nothing goes there in any case
  const isFolder = real !== undefined && isReadable(site.policy, real) && site.policy.files.lstat(real) === "folder";
  const intoFolder = targetIsFolder || target.endsWith("/") || isFolder;
  if (!intoFolder || call.has("-T", "--no-target-directory")) return target;
  const name = posix.basename(source.replace(/\/+$/, ""));
  return name === "." || name === ".." ? target : `${target}/${name}`;
}

/** What lies inside a copied folder must not land on a protected place, or on a link that leads out. */
function checkContents(site: Site, source: string, place: string): void {
  const { files } = site.policy;
  const real = realPathOf(site, source);
  if (real === undefined || files.lstat(real) !== "folder") return;
  const arrives = posix.relative(site.policy.workspace, posix.resolve(site.folder, place));
  const complete = walkTree(files, real, (path) => {
    const isProtected = protectedPart(path, false) ?? secretPart(path) ?? ownPart(posix.join(arrives, path));
    if (isProtected || files.lstat(absolutePath(site.folder, `${place}/${path}`)) === "link")
      checkPathText(site, `${place}/${path}`, "write");
  });
  if (!complete) site.ask("protected path", `${showText(source)} holds too many files to look at`);
}

/** Objects when a folder that is moved or deleted holds something protected. */
function checkTreeFree(site: Site, field: Field, verb: "take away" | "change" = "take away"): void {
  if (field.kind !== "text") return;
  const { files, workspace, writeDirs = [] } = site.policy;
  const real = realPathOf(site, field.text);
  const isReached = real !== undefined && [workspace, ...writeDirs].some((root) => isInside(root, real));
  if (!isReached || files.lstat(real) !== "folder") return;
  if (isPackageFolder(real)) return;
  const complete = walkTree(
    files,
    real,
    (path) => {
      if (protectedPart(path, false) ?? secretPart(path)) {
        site.deny(
          "protected path",
          `${site.command} would ${verb} ${showText(`${field.text}/${path}`)}, which is protected`,
        );
      }
    },
    isPackageFolder,
  );
  if (!complete) site.ask("protected path", `${showText(field.text)} holds too many files to look at`);
}

/** Packages carry such files of their own, and nobody works in them. */
function isPackageFolder(path: string): boolean {
  return path.split("/").includes("node_modules");
}
