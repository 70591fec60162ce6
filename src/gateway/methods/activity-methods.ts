// What happened: words found in conversations, the log page by page, the audit log checked, the end of the log files.
import type { activityMethods } from "../../contract/wire/methods/activity.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import { listAudit } from "../../store/audit/audit-queries.ts";
import { type AuditVerdict, verifyAudit } from "../../store/audit/audit-verification.ts";
import { tailLog } from "../../store/daily-log/log-tail.ts";
import type { Queryable } from "../../store/database/database.ts";
import type { MessageSearch } from "../../store/search/search-messages.ts";
import { readCursor } from "../../store/tables/cursors.ts";

export type ActivityMethodDeps = {
  database: Queryable;
  search: Pick<MessageSearch, "search">;
  /** Brings the audit files up to what is committed. */
  flush(): Promise<void>;
  auditFolder: string;
  logsFolder: string;
  redact(text: string): string;
};

const mostProblems = 100;

export function serveActivity(deps: ActivityMethodDeps): Served<typeof activityMethods> {
  const { database, redact } = deps;
  let verifying: Promise<AuditVerdict> | undefined;
  return {
    async "sessions.search"(_caller, { query, limit }) {
      const hits = await deps.search.search(query, limit);
      return {
        hits: hits.map(({ conversation, snippet, ...hit }) => ({
          sessionKey: conversation,
          ...hit,
          snippet: redact(snippet),
        })),
      };
    },
    async "audit.list"(_caller, { sessionKey: conversation, ...filter }) {
      const page = await listAudit(database, { ...filter, conversation }, redact);
      return { ...page, more: page.nextBeforeSeq !== undefined };
    },
    async "audit.verify"() {
      // it reads every file, so whoever asks meanwhile gets the same answer
      verifying ??= verify().finally(() => {
        verifying = undefined;
      });
      const { lines, problems } = await verifying;
      return { ok: problems.length === 0, lines, problems: problems.slice(0, mostProblems) };
    },
    "logs.tail": async (_caller, wanted) => ({
      lines: await tailLog({ folder: deps.logsFolder, redact }, wanted),
    }),
  };

  async function verify(): Promise<AuditVerdict> {
    const first = await verifyOnce();
    // a line that was being written at that moment looks cut off; what is really wrong is wrong the second time too
    return first.problems.length === 0 ? first : verifyOnce();
  }

  async function verifyOnce(): Promise<AuditVerdict> {
    await deps.flush();
    const { detail } = await readCursor(database, "audit log");
    return verifyAudit(deps.auditFolder, detail);
  }
}
