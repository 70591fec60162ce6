import type { ToolPolicy } from "../../../src/contract/wire/methods/tools.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";

export type SavedPolicy = { ok: true; pending: readonly string[] } | { ok: false; message: string };

/** Writes one tool's rule into the settings; "usual" takes its line out again. */
export async function savePolicy(
  link: Pick<GatewayLink, "call">,
  tool: string,
  policy: ToolPolicy,
): Promise<SavedPolicy> {
  const { revision, overridden } = await link.call("settings.get", {});
  const variable = overridden["guard.tools"];
  if (variable !== undefined)
    return { ok: false, message: `The variable ${variable} decides this; change it where Steward is started.` };
  const value = policy === "usual" ? null : policy;
  const result = await link.call("settings.set", { revision, changes: [{ key: `guard.tools.${tool}`, value }] });
  if (result.saved) return { ok: true, pending: (await link.call("settings.get", {})).pending };
  const [problem] = result.problems;
  return { ok: false, message: problem?.message ?? "The settings were changed meanwhile. Try again." };
}
