import { posix } from "node:path";
import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, checkPathText, knownText, realPathOf } from "../../paths/check-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";
import type { Call } from "../parse-arguments.ts";
import { refuseMovedLinks } from "./change-files.ts";

/** A second name for something: whoever may write the one may write the other, so both must be free to be written. */
export const ln: CommandRule = tableRule({
  options: {
    flag: "-s --symbolic -f --force -v --verbose -T --no-target-directory -P --physical --help --version",
    // places that the words alone do not show, or names that come by themselves
    denied: `-n --no-dereference -b --backup -S --suffix -d -F --directory -i --interactive -L --logical -r --relative -t --target-directory`,
  },
  operands(site, call) {
    if (call.has("-s", "--symbolic")) refuseMovedLinks(site, "mv", "cp", "tar");
    const [target, link, extra] = call.operands;
    if (!target || !link || extra) {
      site.ask("option", "ln is understood with one file and one new name");
      return;
    }
    checkLink(site, call, target, link);
  },
});

function checkLink(site: Site, call: Call, target: Field, link: Field): void {
  checkPath(site, link, "write");
  const [text, name] = [knownText(site, target), knownText(site, link)];
  if (text === undefined || name === undefined) return;
  const real = realPathOf(site, name);
  const intoFolder =
    real !== undefined && site.policy.files.lstat(real) === "folder" && !call.has("-T", "--no-target-directory");
  const place = intoFolder ? `${name}/${posix.basename(text)}` : name;
  if (intoFolder) checkPathText(site, place, "write");
  // what a symbolic link names is looked up from where the link lies
  const from = call.has("-s", "--symbolic") ? posix.resolve(site.folder, posix.dirname(place)) : site.folder;
  if (posix.isAbsolute(text) && call.has("-s", "--symbolic"))
    site.ask(
      "path",
      `ln would make a link to ${showText(text)}, which holds only as long as the workspace stays where it is`,
    );
  checkPathText({ ...site, folder: from }, text, "write");
}
