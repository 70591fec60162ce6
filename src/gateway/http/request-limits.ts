/** How much is taken from people nobody knows yet, and how long anybody is waited for. */
export type RequestLimits = {
  maxConnections: number;
  /** Connections on which nobody has been recognised yet. */
  maxUnknown: number;
  maxUnknownPerAddress: number;
  /** Those that stand in line behind them, and for how long. */
  maxWaiting: number;
  waitMs: number;
  /** Whoever sends its headers a byte at a time is cut off (slowloris). */
  headersMs: number;
  /** For the whole request with its body; an answer may take as long as it likes. */
  requestMs: number;
  keepAliveMs: number;
  /** An answer of which nothing is read for so long is given up (slow read). */
  unreadMs: number;
  checkEveryMs: number;
  maxHeaderBytes: number;
  maxBodyBytes: number;
};

export const usualLimits: RequestLimits = {
  maxConnections: 4_096,
  maxUnknown: 512,
  maxUnknownPerAddress: 64,
  maxWaiting: 1_024,
  waitMs: 10_000,
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 10_000,
  unreadMs: 60_000,
  checkEveryMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 * 1024,
};
