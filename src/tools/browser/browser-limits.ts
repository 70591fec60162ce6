export type BrowserLimits = typeof usualBrowserLimits;

export const usualBrowserLimits = {
  viewport: { width: 1280, height: 800 },
  /** Open tabs of one conversation; what goes beyond is closed. */
  tabs: 8,
  /** Conversations with open pages; the one that rested longest makes room. */
  conversations: 6,
  /** For one step of one call. */
  actionMs: 15_000,
  /** How long a page may go on loading before it is shown as it is. */
  loadMs: 8_000,
  idleMs: 5 * 60_000,
  memoryBytes: 2 * 1024 ** 3,
  memoryCheckMs: 5_000,
  downloadBytes: 100 * 1024 ** 2,
  downloadMs: 120_000,
  snapshotCharacters: 16_000,
  screenshotHeight: 8_000,
  screenshotBytes: 5 * 1024 ** 2,
};
