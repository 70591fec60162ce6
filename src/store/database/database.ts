// SQL behind one small asynchronous interface; statements keep to what SQLite and PostgreSQL both understand.
export type SqlValue = string | number | null;
export type Row = Record<string, unknown>;

export type Queryable = {
  /** Parameters are written as `?`. */
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
};

export type Database = Queryable & {
  /**
   * Transactions run one after the other, and every query sees what one wrote as soon as it returns. Durable: on the disk before
   * it returns, and before a query outside of it sees it.
   */
  transaction<Result>(durable: boolean, work: (tx: Queryable) => Promise<Result>): Promise<Result>;
  /** A consistent copy of everything, made while others read. */
  copyTo(path: string): Promise<void>;
  /** What was overwritten is left in no file beside the database either; false: somebody is reading, it still may be. */
  emptyWriteAheadLog(): Promise<boolean>;
  close(): Promise<void>;
};
