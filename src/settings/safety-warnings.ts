import type { Settings } from "../contract/settings.ts";

/** A line for each safety switch that the owner has turned off. */
export function safetyWarnings({ safety }: Pick<Settings, "safety">): readonly string[] {
  const again = (key: string) => `Set ${key} to true in config.json to turn it on again.`;
  return [
    ...(safety.auditLog
      ? []
      : [`The audit log is off: nothing vouches for what happens in conversations. ${again("safety.auditLog")}`]),
    ...(safety.secretsFilter
      ? []
      : [
          `The secrets filter is off: passwords and keys may be shown, sent to the model and kept. ${again("safety.secretsFilter")}`,
        ]),
  ];
}
