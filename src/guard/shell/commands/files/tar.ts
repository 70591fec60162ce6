import { type Field, showText, textField } from "../../expand/field.ts";
import { type Access, checkPath, checkPathText, knownText, siteInFolder } from "../../paths/check-path.ts";
import type { Site } from "../../paths/site.ts";
import { type CommandRule, checkOptionValue } from "../command-rule.ts";
import { type Call, type Option, parseArguments } from "../parse-arguments.ts";
import { tarOptions } from "./tar-options.ts";

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
  if (!call.has("-t", "--list", "-d", "--diff", "--compare", "--test-label", "--version", "--help", "--usage")) {
    site.refusals.ask("option", "tar without an operation is not understood");
  }
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
  if (/^(?:--transform|--xform|--keep-directory-symlink)$/.test(name) && mode === "extract") {
    site.refusals.ask("option", `tar ${name} would extract to places that cannot be foreseen`);
  }
  // these take a date, or a file whose date counts
  if (/^(?:-N|--newer|--after-date|--mtime)$/.test(name) && value?.kind === "text" && /^[./]/.test(value.text)) {
    checkPath(site, value, "read");
  }
  checkOptionValue(site, option.kind, value);
}

function checkArchive(site: Site, archive: Field | undefined, access: Access): void {
  const text = archive && knownText(site, archive);
  if (text === undefined || text === "-") return;
  if (text.includes(":")) site.refusals.deny("path", `tar takes ${showText(text)} for an archive on another machine`);
  checkPathText(site, text, access);
}
