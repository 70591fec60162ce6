import type { SettingsInForce } from "../contract/room/command.ts";
import { CallRefused, type GatewayClient } from "../contract/wire/client.ts";

/** What is odd about the settings. Which tools there are takes time to find out, and mostly no setting names one. */
export async function settingWarnings(
  call: GatewayClient["call"],
  { settings, warnings }: SettingsInForce,
): Promise<readonly string[]> {
  if (Object.keys(settings.guard.tools).length === 0) return warnings;
  try {
    return (await call("settings.get", {})).warnings ?? warnings;
  } catch (cause) {
    // the file has been changed meanwhile into something unusable, which the next start tells
    if (cause instanceof CallRefused) return warnings;
    throw cause;
  }
}
