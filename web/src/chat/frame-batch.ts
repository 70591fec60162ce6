export type FrameBatch = {
  /** Something changed: it is drawn with everything else that changes until then. */
  mark(): void;
  close(): void;
};

export type Frames = {
  /** Calls back before the next frame; returns how to stop that. */
  next(callback: () => void): () => void;
  after(ms: number, callback: () => void): () => void;
  nowMs(): number;
};

export const browserFrames: Frames = {
  next(callback) {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  nowMs: () => performance.now(),
};

/** Draws at most once a frame and at most every so many milliseconds, however often something changes. */
export function openFrameBatch(frames: Frames, everyMs: number, draw: () => void): FrameBatch {
  let stop: (() => void) | undefined;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  return {
    mark() {
      if (stop) return;
      const restMs = drawnAtMs + everyMs - frames.nowMs();
      stop = restMs > 0 ? frames.after(restMs, waitForFrame) : frames.next(drawNow);
    },
    close() {
      stop?.();
      stop = undefined;
    },
  };

  function waitForFrame(): void {
    stop = frames.next(drawNow);
  }

  function drawNow(): void {
    stop = undefined;
    drawnAtMs = frames.nowMs();
    draw();
  }
}
