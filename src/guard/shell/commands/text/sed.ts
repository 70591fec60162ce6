import type { Field } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, checkPathText, knownText } from "../../paths/check-path.ts";
import { type CommandRule, checkInput, tableRule } from "../command-rule.ts";
import type { Call } from "../parse-arguments.ts";
import { objectionToSedScript } from "./sed-script.ts";

export const sed: CommandRule = tableRule({
  options: {
    flag: `-n --quiet --silent --debug --follow-symlinks --posix -E -r --regexp-extended -s --separate --sandbox -u
      --unbuffered -z --null-data --zero-terminated -b --binary --help --version`,
    data: "-e --expression",
    number: "-l --line-length",
    optional: "-i --in-place",
    denied: "-f --file",
  },
  operands(site, call) {
    const given = call.options.filter((option) => option.name === "-e" || option.name === "--expression");
    const [first, ...others] = call.operands;
    const scripts = given.length > 0 ? given.flatMap((option) => option.value ?? []) : first ? [first] : [];
    const files = given.length > 0 ? call.operands : others;
    checkScripts(site, scripts);
    const inPlace = call.has("-i", "--in-place");
    for (const file of files) {
      if (inPlace) checkPath(site, file, "write");
      else checkInput(site, file);
    }
    if (inPlace) checkBackups(site, call, files);
  },
});

/** sed reads several -e as lines of one script. */
function checkScripts(site: Site, scripts: readonly Field[]): void {
  const texts = scripts.map((script) => knownText(site, script));
  if (texts.some((text) => text === undefined)) return;
  const objection = objectionToSedScript(texts.join("\n"));
  if (objection) site.deny("code as argument", `sed: ${objection}`);
}

function checkBackups(site: Site, call: Call, files: readonly Field[]): void {
  for (const option of call.options) {
    if (option.kind !== "optional" || option.value?.kind !== "text") continue;
    const suffix = option.value.text;
    if (/[/*]/.test(suffix)) site.ask("option", "sed -i may only add a plain suffix to the backup's name");
    for (const file of files) if (file.kind === "text") checkPathText(site, file.text + suffix, "write");
  }
}
