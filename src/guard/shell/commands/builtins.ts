import { isNumeric, showText } from "../expand/field.ts";
import { knownText } from "../paths/check-path.ts";
import { type CommandRule, tableRule } from "./command-rule.ts";

/** Whatever echo gets, it only prints. */
export const echo: CommandRule = () => {};

export const printf: CommandRule = (site, args) => {
  const [first, second] = args;
  const format = first?.kind === "text" && first.text === "--" ? second : first;
  if (!format) return;
  const text = knownText(site, format);
  if (text === undefined) return;
  if (format === first && text.startsWith("-"))
    site.deny("re-evaluation", `printf ${showText(text)}: printf may only print, not set a variable`);
  // %n stores a number in the variable that the argument names
  if (/%[^%A-Za-z(]*[hjlLtz]*n/.test(text.replaceAll("%%", "")))
    site.deny("re-evaluation", "printf %n sets a variable");
};

/** true, false and `:` ignore what they get. */
export const ignoring: CommandRule = (site, args) => {
  for (const argument of args) knownText(site, argument);
};

export const leaveLoop: CommandRule = (site, args) => {
  for (const argument of args) {
    const count = knownText(site, argument);
    if (count !== undefined && !isNumeric(count)) site.ask("option", `${site.command} takes a number`);
  }
};

/** Inside the sandbox there is nothing but what the command itself has started. */
export const kill: CommandRule = (site, args) => {
  site.noteActing();
  const words = args.map((argument) => knownText(site, argument));
  const isSignal = (text: string) => /^-(?:[0-9]{1,2}|[A-Z][A-Z0-9+]*|l|L)$/.test(text);
  const [first, ...rest] = words[0] === "-s" || words[0] === "-n" ? words.slice(2) : words;
  if (words[0] === "--list" || words[0] === "-l" || words[0] === "-L") return;
  const targets = first !== undefined && isSignal(first) ? rest : [first, ...rest];
  for (const target of targets)
    if (target !== undefined && !/^(?:%[\w%+-]*|[1-9]\d{0,9})$/.test(target))
      site.ask("option", `kill ${showText(target)} does not name one process`);
};

export const pwd: CommandRule = tableRule({ options: { flag: "-L -P" }, operands: "data" });
