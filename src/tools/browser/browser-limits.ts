export type BrowserLimits = {
  viewport: { width: number; height: number };
  /** Open tabs of one conversation; what goes beyond is closed. */
  tabs: number;
  /** Conversations with open pages; the one that rested longest makes room. */
  conversations: number;
  /** For one step of one call. */
  actionMs: number;
  /** How long a page may go on loading before it is shown as it is. */
  loadMs: number;
  idleMs: number;
  memoryBytes: number;
  memoryCheckMs: number;
  downloadBytes: number;
  downloadMs: number;
  snapshotCharacters: number;
  screenshotHeight: number;
  screenshotBytes: number;
};

export const usualBrowserLimits: BrowserLimits = {
  viewport: { width: 1280, height: 800 },
  tabs: 8,
  conversations: 6,
  actionMs: 15_000,
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
