import { showText } from "../../expand/field.ts";
import { knownText } from "../../paths/check-path.ts";
import type { CommandRule } from "../command-rule.ts";
import { isRegistryName } from "./npm.ts";

/** Packages whose commands run code given as an argument. */
const interpreters =
  /^(?:node|tsx|ts-node|ts-node-esm|babel-node|esno|esr|jiti|vite-node|zx|deno|bun|sh|bash|zsh|dash|fish|env|xargs|npm|npx|pnpm|yarn|pnpx|dlx|cross-env|cross-env-shell|dotenv|shx|execa|nodemon|concurrently|npm-run-all|run-s|run-p|python3?|perl|ruby)$/;

/** npx may run what is already installed; what follows the command's name belongs to the command. */
export const npx: CommandRule = (site, args) => {
  const texts = args.map((field) => knownText(site, field));
  if (texts[0] !== "--no-install" && texts[0] !== "--no") {
    return site.refusals.deny("code as argument", "npx needs --no-install or --no first, so that it fetches nothing");
  }
  let at = 1;
  while (/^(?:--no-install|--no|--quiet|-q|--silent|-s)$/.test(texts[at] ?? "")) at++;
  if (texts[at] === "--") at++;
  const name = texts[at];
  if (name === undefined || !isRegistryName(name)) {
    return site.refusals.deny("code as argument", `npx ${showText(name ?? "")} does not name an installed command`);
  }
  if (interpreters.test(name.replace(/@[^/]*$/, ""))) {
    site.refusals.deny("code as argument", `npx ${name} runs code given as an argument`);
  }
};
