import type { Redirect, Redirection } from "unbash";
import { expandWord } from "../expand/expand-word.ts";
import type { Expansion } from "../expand/expansion.ts";
import { showText } from "../expand/field.ts";
import type { Scope } from "../expand/scope.ts";
import { checkPath } from "../paths/check-path.ts";
import { inspectParts, inspectWord } from "./inspect-word.ts";
import { forEachRound, type Inspection, siteOf, type Walks, walkNode } from "./inspection.ts";

/** Where input comes from and output goes to. */
export function checkRedirection(inspection: Inspection, scope: Scope, redirection: Redirection): void {
  if (redirection.descriptor?.type === "FileDescriptorVariable") {
    inspection.deny("redirection", `{${redirection.descriptor.name}} sets a variable`);
  }
  walkNode(walks, inspection, scope, redirection);
}

const walks: Walks<Redirection> = {
  HereDoc(inspection, scope, { delimiter, closing, body }) {
    // bash reads an unclosed delimiter or text differently, or not at all
    if (!delimiter || /\n/.test(delimiter.value) || !closing)
      inspection.deny("parse", "a here-document without its end");
    if (body.parts) inspectParts(inspection, scope, body.parts);
  },
  HereString(inspection, scope, { target }) {
    if (target) inspectWord(inspection, scope, target);
    else inspection.deny("parse", "a here-string without a text");
  },
  Redirect(inspection, scope, redirect) {
    if (redirect.target) inspectWord(inspection, scope, redirect.target);
    forEachRound(inspection, scope, (expansion) => checkTarget(inspection, expansion, redirect));
  },
};

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
