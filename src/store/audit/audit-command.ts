import { join } from "node:path";
import type { ExtraCommand } from "../../contract/extra-command.ts";

/** Says whether the audit log is as it was written. */
export function auditVerify(home: string): ExtraCommand {
  return {
    name: "audit verify",
    groupSummary: "Look after the audit log",
    summary: "Check that no line of the audit log was changed, removed, moved or cut",
    options: [],
    async run(_args, _options, console) {
      const { verifyAudit } = await import("./audit-verification.ts");
      const { readCursor } = await import("../tables/current-state.ts");
      const { openSqliteReader } = await import("../database/sqlite-reader.ts");
      const reader = openSqliteReader(join(home, "data", "steward.db"));
      const { detail } = await readCursor(reader, "audit log");
      reader.close();
      const { lines, problems } = await verifyAudit(join(home, "audit"), detail);
      for (const problem of problems) console.output.write(`${problem}\n`);
      if (problems.length === 0) console.output.write(`The audit log is whole: ${lines} lines, chain unbroken.\n`);
      return problems.length === 0 ? 0 : 1;
    },
  };
}
