import { join } from "node:path";
import type { Command } from "../../contract/room/command.ts";
import { jsonNotes, jsonOption, printJson } from "../../contract/room/json-output.ts";
import { count } from "../../contract/words/amounts.ts";

export const auditCommand: Command = {
  name: "audit",
  summary: "Look after the audit log",
  commands: [
    {
      name: "verify",
      summary: "Check that no line of the audit log was changed, removed, moved or cut",
      notes: jsonNotes("whole, lines, problems: []"),
      options: [jsonOption],
      async run({ flags }, { console, home }) {
        const { verifyAudit } = await import("./audit-verification.ts");
        const { readCursor } = await import("../tables/cursors.ts");
        const { openSqliteReader } = await import("../database/sqlite-reader.ts");
        const reader = openSqliteReader(join(home, "data", "steward.db"));
        const { detail } = await readCursor(reader, "audit log");
        reader.close();
        const { lines, problems } = await verifyAudit(join(home, "audit"), detail);
        const whole = problems.length === 0;
        if (flags.has("json")) {
          printJson(console, { whole, lines, problems });
          return whole ? 0 : 1;
        }
        for (const problem of problems) console.output.write(`${problem}\n`);
        if (whole) console.output.write(`The audit log is whole: ${count(lines, "line")}, chain unbroken.\n`);
        return whole ? 0 : 1;
      },
    },
  ],
};
