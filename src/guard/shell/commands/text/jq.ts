import { type Field, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { checkPath, knownText } from "../../paths/check-path.ts";
import { type CommandRule, checkInput } from "../command-rule.ts";
import { objectionToJqFilter } from "./jq-filter.ts";

const flags = new Set(
  `--compact-output --null-input --raw-output --join-output --raw-output0 --ascii-output --slurp --sort-keys
  --color-output --monochrome-output --exit-status --raw-input --tab --seq --stream --stream-errors --unbuffered --help
  --version --build-configuration`.split(/\s+/),
);
const shortFlags = /^-[cnrjasSCMeRhV]+$/;

export const jq: CommandRule = (site, args) => {
  const waiting = [...args];
  let filterSeen = false;
  let operandsAreData = false;
  let onlyOperands = false;
  for (let field = waiting.shift(); field; field = waiting.shift()) {
    const text = field.kind === "stream" ? "" : knownText(site, field);
    if (text === undefined) continue;
    if (!onlyOperands && text === "--") onlyOperands = true;
    else if (!onlyOperands && /^-./.test(text)) {
      if (text === "--args" || text === "--jsonargs") operandsAreData = true;
      else checkOption(site, text, waiting);
    } else if (!filterSeen) {
      filterSeen = true;
      checkFilter(site, field);
    } else if (!operandsAreData) checkInput(site, field);
  }
};

function checkOption(site: Site, name: string, waiting: Field[]): void {
  if (flags.has(name) || shortFlags.test(name)) return;
  if (name === "--indent") take(site, name, waiting);
  else if (name === "--arg" || name === "--argjson") {
    take(site, name, waiting);
    take(site, name, waiting);
  } else if (name === "--slurpfile" || name === "--rawfile" || name === "--argfile") {
    take(site, name, waiting);
    const file = waiting.shift();
    if (file) checkPath(site, file, "read");
  } else if (/^(?:-[A-Za-z]*[Lf]|--from-file|--library-path)/.test(name)) {
    site.deny("option", `jq ${name} is never allowed`);
  } else site.ask("option", `jq has the option ${showText(name)}, which the check does not know`);
}

function take(site: Site, name: string, waiting: Field[]): void {
  const value = waiting.shift();
  if (value) knownText(site, value);
  else site.ask("option", `jq ${name} lacks its value`);
}

function checkFilter(site: Site, field: Field): void {
  const text = knownText(site, field);
  const objection = text === undefined ? undefined : objectionToJqFilter(text);
  if (objection) site.deny("code as argument", `jq: ${objection}`);
}
