/** Loads with the first call and gives the same to every other; after a failure the next call may try again. */
export function loadOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((cause) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
}
