import { certainText, showText } from "../../expand/field.ts";
import type { Site } from "../../objections.ts";
import { knownText } from "../../paths/check-path.ts";
import { type CommandRule, tableRule } from "../command-rule.ts";

/** curl may only fetch: every option that is not here is refused. */
export const curl: CommandRule = tableRule({
  options: {
    flag: `-s --silent -S --show-error -f --fail -i --include -I --head -L --location -v --verbose --compressed`,
    data: "-H --header",
    number: "-m --max-time --retry",
    write: "-o --output",
  },
  exactNames: true,
  separateValues: true,
  operands(site, call) {
    site.noteActing();
    if (call.operandsBeforeDashes !== undefined) site.ask("curl", "curl with -- is not understood");
    if (call.operands.length === 0) site.ask("curl", "curl needs an address");
    for (const operand of call.operands) {
      const url = knownText(site, operand);
      if (url !== undefined) checkUrl(site, url);
      if (operand.kind === "text" && operand.braced) site.ask("curl", "curl's addresses must be written out");
    }
  },
  check(site, call) {
    for (const option of call.options) {
      const value = certainText(option.value) ?? "";
      if (option.kind === "data" && (value.startsWith("@") || /[\r\n]/.test(value)))
        site.deny("curl", `the header ${showText(value)} is no plain header`);
      if (option.kind === "number" && !/^\d+(?:\.\d+)?$/.test(value)) {
        site.ask("curl", `${option.name} takes a number`);
      }
    }
  },
});

function checkUrl(site: Site, url: string): void {
  const parts = /^https?:\/\/([a-z0-9.-]+)(?::(?:80|443))?(\/[!-~]*|[?#][!-~]*)?$/.exec(url);
  if (!parts) {
    site.deny("curl", `${showText(url)} is not a plain http or https address`);
    return;
  }
  const [, host, rest = ""] = parts;
  if (/[{}[\]\\^`|<>"]/.test(rest) || (!rest.startsWith("/") && rest.includes("@"))) {
    site.deny("curl", `${showText(url)} holds characters that curl may read in another way`);
    return;
  }
  if (!site.policy.allowedHosts.includes(host ?? ""))
    site.ask("curl", `the host ${showText(host ?? "")} is not on the list`);
}
