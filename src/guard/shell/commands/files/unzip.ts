import { type Field, showText, textField } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, checkPathText, knownText, siteInFolder } from "../../paths/check-path.ts";
import type { CommandRule } from "../command-rule.ts";

type UnzipCall = { archive?: Field; members: Field[]; letters: string; target?: Field };

export const unzip: CommandRule = (site, args) => {
  const call = readCall(site, args);
  if (call.archive) checkPath(site, call.archive, "read");
  // unzip adds the ending when the file is not there without it
  if (call.archive?.kind === "text") checkPathText(site, `${call.archive.text}.zip`, "read");
  const onlyLooks = /[ltvpczZ]/.test(call.letters) || !call.archive;
  const target = call.target ?? textField(".");
  if (onlyLooks) {
    if (call.target) checkPath(site, target, "read");
    return;
  }
  const here = siteInFolder(site, target, "write");
  for (const member of call.members) checkPath(here, member, "write");
};

function readCall(site: Site, args: readonly Field[]): UnzipCall {
  const call: UnzipCall = { members: [], letters: "" };
  const waiting = [...args];
  let excluding = false;
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const text = knownText(site, field);
    if (text === undefined) continue;
    if (text.startsWith("-") && text !== "-") excluding = readLetters(site, call, text, waiting) || excluding;
    else if (!call.archive) call.archive = field;
    else if (!excluding) call.members.push(field);
  }
  return call;
}

/** True when names to leave out follow. */
function readLetters(site: Site, call: UnzipCall, text: string, waiting: Field[]): boolean {
  let excluding = false;
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] ?? "";
    if ("dPOI".includes(letter)) {
      takeValue(site, call, letter, text.slice(at + 1), waiting);
      return excluding;
    }
    if (letter === "x") excluding = true;
    else if ("ltvpczZojnquafbCLUVXKDhsm12TM".includes(letter)) call.letters += letter;
    else if (letter === ":") site.deny("option", "unzip -: would extract outside the folder");
    else site.ask("option", `unzip has the option ${showText(`-${letter}`)}, which the check does not know`);
  }
  return excluding;
}

function takeValue(site: Site, call: UnzipCall, letter: string, attached: string, waiting: Field[]): void {
  const value = attached ? textField(attached) : waiting.shift();
  if (!value) return;
  knownText(site, value);
  if (letter === "d") call.target = value;
}
