import { expect, test } from "vitest";
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { listOf, saveChannelSettings, textOf, valuesOf } from "./save-settings.ts";

/** A gateway with settings; keeps what it is told to save. */
function settingsWith(overridden: Record<string, string>, answer: Partial<MethodResult<"settings.set">> = {}) {
  const saved: unknown[] = [];
  const call = async (name: string, params: unknown) => {
    if (name === "settings.get") return { revision: "r1", overridden };
    saved.push(params);
    return { saved: true, problems: [], revision: "r2", ...answer };
  };
  return { saved, link: { call: call as unknown as GatewayLink["call"] } };
}

test("what is saved for a channel stands under its own keys, all in one go", async () => {
  const { link, saved } = settingsWith({});
  await saveChannelSettings(link, "email", { address: "a@example.org", enabled: true });
  const changes = [
    { key: "channels.email.address", value: "a@example.org" },
    { key: "channels.email.enabled", value: true },
  ];
  expect(saved).toEqual([{ revision: "r1", changes }]);
});

test("what a variable decides is not saved in vain", async () => {
  const { link, saved } = settingsWith({ "channels.ntfy.topic": "STEWARD_CHANNELS_NTFY_TOPIC" });
  await expect(saveChannelSettings(link, "ntfy", { topic: "x" })).rejects.toThrow("STEWARD_CHANNELS_NTFY_TOPIC");
  expect(saved).toEqual([]);
});

test("a refusal is told in the gateway's words, and a race asks to try again", async () => {
  const problems = [{ key: "channels.ntfy.url", message: "not an address" }];
  const refusing = settingsWith({}, { saved: false, problems });
  await expect(saveChannelSettings(refusing.link, "ntfy", { url: "x" })).rejects.toThrow("not an address");
  const racing = settingsWith({}, { saved: false });
  await expect(saveChannelSettings(racing.link, "ntfy", { url: "x" })).rejects.toThrow("Try again");
});

test("settings of a channel are read from a file that may leave out anything or hold nonsense", () => {
  const email = valuesOf({ values: { channels: { email: { address: "a@b", allowedUserIds: ["x", 1] } } } }, "email");
  expect([textOf(email, "address"), textOf(email, "imapHost"), listOf(email, "allowedUserIds")]).toEqual([
    "a@b",
    "",
    ["x"],
  ]);
  expect(valuesOf({ values: { channels: [] } }, "email")).toEqual({});
});
