/** Tells whoever holds a connection that the token behind it lets nobody in any more. */
export function openTokenEndings(deps: {
  isLive(tokenId: string): Promise<boolean>;
  checkEveryMs: number;
  onTrouble(message: string, cause: unknown): void;
}) {
  const watched = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  return {
    watch(tokenId: string, listener: () => void): () => void {
      const listeners = watched.get(tokenId) ?? new Set();
      watched.set(tokenId, listeners.add(listener));
      timer ??= setInterval(checkAll, deps.checkEveryMs).unref();
      // it may have been revoked between the moment it was recognised and this one
      check(tokenId);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watched.get(tokenId) === listeners) watched.delete(tokenId);
        stopWhenIdle();
      };
    },
    end,
    close(): void {
      watched.clear();
      stopWhenIdle();
    },
  };

  function end(tokenId: string): void {
    const listeners = watched.get(tokenId) ?? [];
    watched.delete(tokenId);
    for (const listener of listeners) listener();
    stopWhenIdle();
  }

  function checkAll(): void {
    for (const tokenId of watched.keys()) check(tokenId);
  }

  function check(tokenId: string): void {
    deps.isLive(tokenId).then(
      (live) => {
        if (!live) end(tokenId);
      },
      (cause) => deps.onTrouble("It could not be checked whether a token still lets somebody in.", cause),
    );
  }

  function stopWhenIdle(): void {
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
