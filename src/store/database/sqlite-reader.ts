import { DatabaseSync } from "node:sqlite";
import type { Queryable } from "./database.ts";

export type Reader = Queryable & {
  /** All reads inside see the same moment, whatever a running Steward writes meanwhile. */
  atOneMoment<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
};

/** Looks at a database that may be in use, or damaged, without ever writing to it. */
export function openSqliteReader(path: string): Reader {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  return {
    query: async (sql, values = []) => connection.prepare(sql).all(...values),
    async atOneMoment(work) {
      connection.exec("BEGIN");
      try {
        return await work();
      } finally {
        connection.exec("COMMIT");
      }
    },
    close: () => connection.close(),
  };
}
