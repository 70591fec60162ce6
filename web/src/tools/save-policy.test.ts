import { expect, test } from "vitest";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { savePolicy } from "./save-policy.ts";

/** A gateway with settings; keeps what it is told to save. */
function settingsWith(more: Partial<MethodResult<"settings.get">>, answer: Partial<MethodResult<"settings.set">> = {}) {
  const saved: unknown[] = [];
  const call = async (name: string, params: unknown) => {
    if (name === "settings.get")
      return {
        path: "",
        revision: "r1",
        values: {},
        schema: {},
        overridden: {},
        pending: saved.length > 0 ? ["guard.tools"] : [],
        ...more,
      };
    saved.push(params);
    return { saved: true, problems: [], revision: "r2", ...answer };
  };
  return { saved, link: { call: call as GatewayLink["call"] } };
}

test("a rule is saved under the tool's own key and says what waits to be applied", async () => {
  const { link, saved } = settingsWith({});
  expect(await savePolicy(link, "bash", "ask")).toEqual({ ok: true, pending: ["guard.tools"] });
  expect(saved).toEqual([{ revision: "r1", changes: [{ key: "guard.tools.bash", value: "ask" }] }]);
});

test("as usual takes the rule out of the file", async () => {
  const { link, saved } = settingsWith({});
  await savePolicy(link, "bash", "usual");
  expect(saved).toEqual([{ revision: "r1", changes: [{ key: "guard.tools.bash", value: null }] }]);
});

test("what a variable decides is not saved in vain", async () => {
  const { link, saved } = settingsWith({ overridden: { "guard.tools": "STEWARD_GUARD_TOOLS" } });
  expect(await savePolicy(link, "bash", "deny")).toEqual({
    ok: false,
    message: expect.stringContaining("STEWARD_GUARD_TOOLS"),
  });
  expect(saved).toEqual([]);
});

test("a refusal is told in the gateway's words", async () => {
  const { link } = settingsWith({}, { saved: false, problems: [{ key: "guard.tools.x", message: "no such tool" }] });
  expect(await savePolicy(link, "x", "deny")).toEqual({ ok: false, message: "no such tool" });
});
