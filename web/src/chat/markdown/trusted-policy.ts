// The page's policy takes HTML and scripts only through named policies. This is the one under DOMPurify's name, for two
// places alone: what DOMPurify parses in order to clean it, and the worker that colours code.
import colourWorkerAddress from "./colour-worker.ts?worker&url";

type Policy = { createHTML(html: string): string; createScriptURL(url: string): string };
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy };

const rules: Policy = {
  createHTML: (html) => html,
  createScriptURL(url) {
    if (url !== colourWorkerAddress) throw new TypeError(`${url} is no script of this page`);
    return url;
  },
};

// a browser without such policies takes the plain strings
export const purifyPolicy: Policy =
  (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy("dompurify", rules) ?? rules;

export function startColourWorker(): Worker {
  return new Worker(purifyPolicy.createScriptURL(colourWorkerAddress), { type: "module" });
}
