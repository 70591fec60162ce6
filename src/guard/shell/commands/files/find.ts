import { posix } from "node:path";
import { type Field, showText } from "../../expand/field.ts";
import { matchesWhole, type Pattern, readPattern } from "../../expand/pattern.ts";
import { bareUnits } from "../../expand/units.ts";
import type { Site } from "../../objections.ts";
import { checkPath, knownText } from "../../paths/check-path.ts";
import { walkTree } from "../../paths/file-lookup.ts";
import { protectedPart, secretPart } from "../../paths/protected-paths.ts";
import { isInside, realPlaces } from "../../paths/real-path.ts";
import type { CommandRule } from "../command-rule.ts";

const words = (list: string) => new Set(list.split(/\s+/));

const alone = words(`-print -print0 -ls -delete -prune -quit -depth -d -daystart -mount -xdev -noleaf -warn -nowarn
  -ignore_readdir_race -noignore_readdir_race -empty -executable -readable -writable -false -true -nogroup -nouser -a
  -and -o -or -not ! ( ) ,`);
const withData = words(`-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype
  -maxdepth -mindepth -amin -atime -cmin -ctime -mmin -mtime -used -gid -uid -group -user -inum -links -perm -size -type
  -xtype -fstype -context -printf`);
const withFile = words("-newer -anewer -cnewer -samefile");
const forbidden = words(`-exec -execdir -ok -okdir -fprint -fprint0 -fprintf -fls -files0-from`);

export const find: CommandRule = (site, args) => {
  const waiting = args.map((field) => ({ field, text: knownText(site, field) }));
  while (isLeading(site, waiting[0]?.text)) waiting.shift();
  const end = waiting.findIndex(({ text }) => isExpression(text));
  const starts = waiting.splice(0, end < 0 ? waiting.length : end).map(({ field }) => field);
  for (const start of starts) checkPath(site, start, "read");
  const expression: string[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    expression.push(next.text ?? "", ...checkPrimary(site, next.text ?? "", waiting));
  }
  if (expression.includes("-delete")) checkDeletion(site, starts, expression);
};

/** The options before the start points. */
function isLeading(site: Site, text: string | undefined): boolean {
  if (text === "-L") site.deny("symlink walk", "find -L follows links while it walks");
  return text !== undefined && /^-(?:[HLP]|O[0-3])$/.test(text);
}

function isExpression(text: string | undefined): boolean {
  return text === undefined || text.startsWith("-") || ["(", ")", "!", ","].includes(text);
}

/** One test or action; gives the value it takes. */
function checkPrimary(site: Site, name: string, waiting: { field: Field; text: string | undefined }[]): string[] {
  if (alone.has(name)) return [];
  const isReference = withFile.has(name) || /^-newer[aBcm][aBcmt]$/.test(name);
  if (withData.has(name) || isReference) {
    const value = waiting.shift();
    if (value && isReference && !name.endsWith("t")) checkPath(site, value.field, "read");
    if (!value) site.ask("option", `find ${name} lacks its value`);
    return [value?.text ?? ""];
  }
  if (name === "-follow") site.deny("symlink walk", "find -follow follows links while it walks");
  else if (forbidden.has(name)) site.deny("option", `find ${name} is never allowed`);
  else site.ask("option", `find has ${showText(name)}, which the check does not know`);
  return [];
}

/** -delete may not reach anything protected; only plain -name tests, all of which must hold, narrow it down. */
function checkDeletion(site: Site, starts: readonly Field[], expression: readonly string[]): void {
  const plain = !expression.some((word) => ["-o", "-or", "!", "-not", ",", "("].includes(word));
  const names = plain
    ? [...patternsAfter(site, expression, "-name"), ...patternsAfter(site, expression, "-iname")]
    : [];
  const { files, workspace } = site.policy;
  for (const start of starts.length > 0 ? starts : [{ kind: "text", text: "." } as const]) {
    checkPath(site, start, "write");
    const real = start.kind === "text" ? realPlaces(files, site.folder, start.text)?.[0] : undefined;
    if (real === undefined || !isInside(workspace, real)) continue;
    if (real === workspace && names.length === 0)
      site.deny("rm", "find -delete without -name would empty the workspace");
    const complete = walkTree(files, real, (path) => {
      const reached = names.every((name) => matchesWhole(site.budget, name, posix.basename(path)));
      if (reached && (protectedPart(path, true) ?? secretPart(path)))
        site.deny("protected path", `find -delete would remove ${showText(path)}, which is protected`);
    });
    if (!complete) site.ask("protected path", "find -delete works on too many files to look at");
  }
}

function patternsAfter({ budget }: Site, expression: readonly string[], name: "-name" | "-iname"): Pattern[] {
  return expression.flatMap((word, at) => {
    const units = word === name ? bareUnits(expression[at + 1] ?? "") : undefined;
    const pattern = units && readPattern(budget, units, name === "-iname");
    return pattern ? [pattern] : [];
  });
}
