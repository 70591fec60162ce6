import type { Redirect, Redirection } from "unbash";
import { expandWord } from "../expand/expand-word.ts";
import type { Expansion } from "../expand/expansion.ts";
import { showText } from "../expand/field.ts";
import type { Scope } from "../expand/scope.ts";
import { checkPath } from "../paths/check-path.ts";
import { inspectParts, inspectWord } from "./inspect-word.ts";
import { forEachRound, type Inspection, siteOf } from "./inspection.ts";

/** Where input comes from and output goes to. */
export function checkRedirection(inspection: Inspection, scope: Scope, redirection: Redirection): void {
  if (redirection.descriptor?.type === "FileDescriptorVariable") {
    inspection.deny("redirection", `{${redirection.descriptor.name}} sets a variable`);
  }
  switch (redirection.type) {
    case "HereDoc":
      checkHereDocument(inspection, scope, redirection);
      return;
    case "HereString":
      if (redirection.target) inspectWord(inspection, scope, redirection.target);
      else inspection.deny("parse", "a here-string without a text");
      return;
    case "Redirect":
      if (redirection.target) inspectWord(inspection, scope, redirection.target);
      forEachRound(inspection, scope, (expansion) => checkTarget(inspection, expansion, redirection));
      return;
    default:
      redirection satisfies never;
      return;
  }
}

function checkHereDocument(
  inspection: Inspection,
  scope: Scope,
  document: Extract<Redirection, { type: "HereDoc" }>,
): void {
  // bash reads an unclosed delimiter or text differently, or not at all
  if (!document.delimiter || /\n/.test(document.delimiter.value) || !document.closing)
    inspection.deny("parse", "a here-document without its end");
  if (document.body.parts) inspectParts(inspection, scope, document.body.parts);
}

function checkTarget(inspection: Inspection, expansion: Expansion, redirect: Redirect): void {
  const fields = redirect.target ? expandWord(expansion, redirect.target) : undefined;
  const [field, extra] = fields ?? [];
  if (!field || extra) {
    inspection.deny("redirection", `${redirect.operator} needs exactly one target`);
    return;
  }
  const isCopy = redirect.operator === ">&" || redirect.operator === "<&";
  if (isCopy && field.kind === "text" && /^(?:\d+-?|-)$/.test(field.text)) return;
  if (field.kind === "text" && /\/dev\/(?:tcp|udp)\//.test(field.text)) {
    inspection.deny("redirection", `${showText(field.text)} opens a network connection`);
    return;
  }
  const site = siteOf(inspection, `the redirection ${redirect.operator}`, expansion.folder);
  checkPath(site, field, redirect.operator === "<" ? "read" : "write");
}
