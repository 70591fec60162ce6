import { join } from "node:path";
import type { Command } from "../../contract/room/command.ts";

export const auditCommand: Command = {
  name: "audit",
  summary: "Look after the audit log",
  commands: [
    {
      name: "verify",
      summary: "Check that no line of the audit log was changed, removed, moved or cut",
      async run(_input, { console, home }) {
        const { verifyAudit } = await import("./audit-verification.ts");
        const { readCursor } = await import("../tables/cursors.ts");
        const { openSqliteReader } = await import("../database/sqlite-reader.ts");
        const reader = openSqliteReader(join(home, "data", "steward.db"));
        const { detail } = await readCursor(reader, "audit log");
        reader.close();
        const { lines, problems } = await verifyAudit(join(home, "audit"), detail);
        for (const problem of problems) console.output.write(`${problem}\n`);
        if (problems.length === 0) console.output.write(`The audit log is whole: ${lines} lines, chain unbroken.\n`);
        return problems.length === 0 ? 0 : 1;
      },
    },
  ],
};
