import type { CommandContext } from "../contract/room/command.ts";
import type { GatewayClient } from "../contract/wire/client.ts";

type WarningDeps = Pick<CommandContext, "readSettings"> & Pick<GatewayClient, "call">;

/** What is odd about the settings. Which tools there are takes time to find out, and mostly no setting names one. */
export async function settingWarnings({ readSettings, call }: WarningDeps): Promise<readonly string[]> {
  const { settings, warnings } = await readSettings();
  if (Object.keys(settings.guard.tools).length === 0) return warnings;
  return (await call("settings.get", {})).warnings ?? warnings;
}
