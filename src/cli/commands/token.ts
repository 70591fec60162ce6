import type { AccessToken, Scope } from "../../contract/access.ts";
import { Failure } from "../../contract/failure.ts";
import { agoWords, durationWords } from "../amounts.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { alignColumns } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { sessionKeyFor } from "./session-key.ts";
import { printJson, withClient } from "./with-client.ts";

export async function listTokens(deps: CommandLineDeps, { json = false }: { json?: boolean }): Promise<number> {
  const result = await withClient(deps, (client) => client.call("access.list", {}));
  const { output, colors } = deps.console;
  if (json) {
    printJson(deps, result);
    return 0;
  }
  if (result.tokens.length === 0) {
    output.write("Nobody has been let in yet. A browser is let in by: steward open\n");
    return 0;
  }
  const rows = result.tokens.map((token) => rowOf(token, deps.world.nowMs()));
  const [title, ...lines] = alignColumns([["id", "name", "may", "kind", "last used", "ends"], ...rows]);
  output.write(`${[paletteFor(colors).faint(title ?? ""), ...lines].join("\n")}\n`);
  return 0;
}

function rowOf(token: AccessToken, nowMs: number): string[] {
  const { expiresAtMs, lastUsedAtMs } = token;
  return [
    visibleLine(token.id),
    visibleLine(token.name, 40),
    token.sessionKey === undefined ? token.scope : `${token.scope} ${visibleLine(token.sessionKey)}`,
    token.kind,
    lastUsedAtMs === undefined ? "never" : agoWords(lastUsedAtMs, nowMs),
    expiresAtMs === undefined ? "never" : endWords(expiresAtMs, nowMs),
  ];
}

function endWords(expiresAtMs: number, nowMs: number): string {
  return expiresAtMs <= nowMs ? "has ended" : `in ${durationWords(expiresAtMs - nowMs)}`;
}

export type TokenOptions = { name: string; scope: Scope; session?: string; days?: string };

/** The token alone goes to the output, so that it can be piped to where it is needed. */
export async function createToken(deps: CommandLineDeps, options: TokenOptions): Promise<number> {
  const { name, scope, session } = options;
  if (scope === "task" && session === undefined)
    throw new Failure("A token of the scope task is for one conversation. Name it with --session.");
  if (scope !== "task" && session !== undefined)
    throw new Failure(
      `A token of the scope ${scope} is for every conversation. Leave --session out, or use --scope task.`,
    );
  const expiresAfterDays = options.days === undefined ? undefined : readDays(options.days);
  const { token, record } = await withClient(deps, (client) =>
    client.call("access.create", {
      name,
      scope,
      ...(session !== undefined && { sessionKey: sessionKeyFor(session) }),
      ...(expiresAfterDays !== undefined && { expiresAfterDays }),
    }),
  );
  deps.console.output.write(`${token}\n`);
  const end = record.expiresAtMs === undefined ? "" : ` It ends ${endWords(record.expiresAtMs, deps.world.nowMs())}.`;
  deps.console.errors.write(
    `Keep it now: it is not shown again.${end} Take it back with: steward token revoke ${visibleLine(record.id)}\n`,
  );
  return 0;
}

function readDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== "" && days > 0 && days <= 3650) return days;
  throw new Failure(`“${visibleLine(text, 40)}” is no number of days. Give one from 1 to 3650, such as --days 30.`);
}

export async function revokeToken(deps: CommandLineDeps, id: string): Promise<number> {
  const { ok } = await withClient(deps, (client) => client.call("access.revoke", { id }));
  if (!ok) throw new Failure(`There is no token ${visibleLine(id, 100)}. List them: steward token list`);
  deps.console.output.write("It is taken back; whoever used it is let in no more.\n");
  return 0;
}
