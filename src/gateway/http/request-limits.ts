/** How much is taken from people nobody knows yet, and how long anybody is waited for. */
export const usualLimits = {
  maxConnections: 4_096,
  /** Connections on which nobody has been recognised yet. */
  maxUnknown: 512,
  maxUnknownPerAddress: 64,
  /** Those that stand in line behind them, and for how long. */
  maxWaiting: 1_024,
  waitMs: 10_000,
  /** Whoever sends its headers a byte at a time is cut off (slowloris). */
  headersMs: 10_000,
  /** For the whole request with its body; an answer may take as long as it likes. */
  requestMs: 60_000,
  keepAliveMs: 10_000,
  /** Requests of a connection that are sent before the first is answered; browsers send one at a time. */
  maxPipelined: 64,
  /** An answer of which nothing is read for so long is given up (slow read). */
  unreadMs: 60_000,
  checkEveryMs: 5_000,
  maxHeaderBytes: 16 * 1024,
  maxBodyBytes: 1024 * 1024,
};
export type RequestLimits = typeof usualLimits;
