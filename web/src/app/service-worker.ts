const path = "/service-worker.js";

type ScriptUrlPolicy = { createScriptURL(url: string): string };
type PolicyFactory = {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
};

/** Keeps the page at hand while Steward is away, and receives its notifications. */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  // the page's policy takes no address for a worker but one that this names
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  const policy = factory?.createPolicy("steward", {
    createScriptURL(url) {
      if (url !== path) throw new TypeError(`${url} is no script of this page`);
      return url;
    },
  });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(path) ?? path);
  } catch {
    // refused in private windows and over plain http on another host; the page works without it
  }
}
