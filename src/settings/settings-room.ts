import type { NewEvent } from "../contract/event.ts";
import type { RoomDefinition } from "../contract/room/room.ts";
import type { RoomBase } from "../contract/room/room-base.ts";
import type { Settings } from "../contract/settings.ts";
import { configCommand } from "./commands/config-command.ts";
import type { SettingsMethodDeps } from "./settings-methods.ts";

export type SettingsBase = Pick<RoomBase, "home" | "settings" | "redact" | "offered"> & {
  /** As the process was given it; the workspace's own variables set no settings. */
  processEnvironment: RoomBase["environment"];
  store: { log: { append(events: readonly NewEvent[]): Promise<unknown> } };
  models: RoomBase["models"] & {
    setup(now: {
      settings(): Promise<Settings>;
      storedKeys(): Promise<Readonly<Record<string, string>>>;
      redact(text: string): string;
    }): Promise<SettingsMethodDeps["modelSetup"]>;
  };
  hideValues(values: readonly string[]): void;
  restart(): void;
  end(): void;
};

/** The owner's settings and the connecting of a model, for the page. The agent has no tool that comes here. */
export const settingsRoom: RoomDefinition<SettingsBase> = {
  name: "settings",
  commands: [configCommand],
  async checks({ settings }) {
    const { safetyWarnings } = await import("./safety-warnings.ts");
    const { unknownProviders } = await import("./unknown-names.ts");
    return [
      ...safetyWarnings(settings).map((detail) => ({ ok: false, name: "safety", detail })),
      ...unknownProviders(settings).map((detail) => ({ ok: false, name: "settings", detail })),
    ];
  },
  async open({
    home,
    settings: running,
    redact,
    offered,
    processEnvironment,
    store,
    models,
    hideValues,
    restart,
    end,
  }) {
    const { settingsMethods } = await import("../contract/wire/methods/settings.ts");
    const { serveLazily } = await import("../contract/room/room-methods.ts");
    return {
      methods: serveLazily(settingsMethods, async () => {
        const { serveSettings } = await import("./settings-methods.ts");
        const { openSettingsFile } = await import("./open-settings-file.ts");
        const { openAuthFile } = await import("./auth-file.ts");
        const settingsFile = await openSettingsFile({ home, environment: processEnvironment, running });
        const authFile = openAuthFile({ home });
        return serveSettings({
          settingsFile,
          authFile,
          modelSetup: await models.setup({
            settings: async () => (await settingsFile.read()).next,
            storedKeys: async () => (await authFile.read()).keys,
            redact,
          }),
          chosenModel: async () => (await models.choose(undefined))[0]?.name ?? "none",
          toolNames: async () => (await offered.tools()).map((tool) => tool.name),
          append: (events) => store.log.append(events),
          hideValues,
          restart,
          end,
        });
      }),
    };
  },
};
