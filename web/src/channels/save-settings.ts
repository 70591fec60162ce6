import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import type { ChannelName } from "../words.ts";

type SettingsAnswer = MethodResult<"settings.get">;

/** What config.json says of one channel; what it leaves out has its default. */
export type ChannelValues = Readonly<Record<string, unknown>>;

export function valuesOf({ values }: Pick<SettingsAnswer, "values">, name: ChannelName): ChannelValues {
  return recordIn(recordIn(values, "channels"), name);
}

export function textOf(values: ChannelValues, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value : "";
}

export function listOf(values: ChannelValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Throws in words for a person when one of them cannot be saved; then none of them is. */
export async function saveChannelSettings(
  link: Pick<GatewayLink, "call">,
  name: ChannelName,
  changes: ChannelValues,
): Promise<void> {
  const { revision, overridden } = await link.call("settings.get", {});
  const keyed = Object.entries(changes).map(([key, value]) => ({ key: `channels.${name}.${key}`, value }));
  const decided = keyed.map(({ key }) => overridden[key]).find((variable) => variable !== undefined);
  if (decided !== undefined)
    throw new Error(`The variable ${decided} decides this; change it where Steward is started.`);
  const { saved, problems } = await link.call("settings.set", { revision, changes: keyed });
  if (!saved) throw new Error(problems[0]?.message ?? "The settings were changed meanwhile. Try again.");
}

function recordIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const inner = isRecord(value) ? value[name] : undefined;
  return isRecord(inner) ? inner : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
