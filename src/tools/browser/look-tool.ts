import { defineTool, type Tool } from "../../contract/tool.ts";
import { escapeName } from "../paths/escape-text.ts";
import { readsOnly } from "../reads-only.ts";
import { LookArguments, type LookDeps, lookAt } from "./look-at.ts";
import type { SeenLinks } from "./session/seen-links.ts";
import { type UseDeps, useSession } from "./session/use-session.ts";

/** Looking changes nothing; only an address that no page has offered could carry something out, so it is named. */
export function lookTool(deps: UseDeps & LookDeps & { seenLinks: SeenLinks }): Tool {
  return defineTool({
    name: "browser",
    description: "Look at web pages; lists elements like [e12].",
    arguments: LookArguments,
    ...readsOnly,
    destinations: ({ action, url }) => (action === "open" && url && !deps.seenLinks.has(url) ? [url] : []),
    formatApproval: ({ action, url }) =>
      action === "open" ? `Open ${escapeName(url ?? "")} in the browser` : `Browser: ${action}`,
    run(context, args) {
      context.progress(args.action === "open" ? `opening ${args.url}` : args.action);
      return useSession(deps, context, (session) => lookAt(deps, session, { ...args, signal: context.signal }));
    },
  });
}
