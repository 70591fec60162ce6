// Where the work of a conversation is done: in the owner's workspace, or in the folder of the group it belongs to, which sees
// nothing else. The conversation comes in; its folder, its guard and its group go out.
import { homedir } from "node:os";
import { join } from "node:path";
import type { CheckFolder } from "../contract/channel/given-folder.ts";
import { type Group, mountTarget } from "../contract/channel/group.ts";
import type { Settings } from "../contract/settings.ts";
import type { ExtraDirs, Reach } from "../contract/tool.ts";
import { openSettingsGuard } from "../guard/guard.ts";
import type { Guard } from "../guard/judgement.ts";
import type { Queryable } from "../store/database/database.ts";
import { hashWorkspaceFile } from "../tools/files/hash-workspace-file.ts";
import { givenDirs } from "../tools/sandbox/allowed-dirs.ts";
import { checkMount } from "../tools/sandbox/mount-rules.ts";
import { openGroupFolder } from "../workspace/group-folder.ts";

export type Place = {
  workspace: string;
  extraDirs: ExtraDirs;
  guard: Guard;
  /** Undefined: the owner's own. */
  group: Group | undefined;
};

export type Places = {
  of(conversation: string): Promise<Place>;
  reachOf(conversation: string): Promise<Reach>;
  /** Whether a group may be given it. */
  checkFolder: CheckFolder;
  close(): Promise<void>;
};

export type PlacesDeps = {
  home: string;
  workspace: string;
  extraDirs: ExtraDirs;
  settings: Settings;
  database: Queryable;
  groupOf(conversation: string): Promise<Group | undefined>;
  /** Put around every guard: a test's own, or one that notes what it decides. */
  guardIn?(guard: Guard): Guard;
};

type OpenGuard = Guard & { close(): Promise<void> };

export function openPlaces(deps: PlacesDeps): Places {
  const { home, workspace, extraDirs, settings, database, groupOf, guardIn = (guard: Guard) => guard } = deps;
  const own = openSettingsGuard({ settings, workspace, database, extraDirs, hashFile: hashWorkspaceFile });
  const mountPlaces = { stewardHome: home, userHome: homedir() };
  const ownPlace: Place = { workspace, extraDirs, guard: guardIn(own), group: undefined };
  const groups = new Map<string, { settled: string; place: Promise<Place> }>();
  // a turn may still ask the guard of before
  const guards: OpenGuard[] = [];
  return {
    of,
    checkFolder: (path) => checkMount(mountPlaces, path),
    async reachOf(conversation) {
      const place = await of(conversation);
      return { workspace: place.workspace, ...place.extraDirs };
    },
    async close() {
      await Promise.allSettled([...groups.values()].map(({ place }) => place));
      for (const guard of guards) await guard.close();
      await own.close();
    },
  };

  async function of(conversation: string): Promise<Place> {
    const group = await groupOf(conversation);
    return group ? groupPlace(group) : ownPlace;
  }

  function groupPlace(group: Group): Promise<Place> {
    // a name may belong to another chat by now
    const key = [group.name, group.channel, group.address.chat].join("\n");
    const folder = join(home, "groups", group.name);
    const dirs = givenDirs(mountPlaces, folder, group);
    // a disk comes and goes
    const settled = JSON.stringify([group.options, dirs]);
    const known = groups.get(key);
    if (known?.settled === settled) return known.place;
    const place = openPlace(group, folder, dirs);
    groups.set(key, { settled, place });
    // what failed is tried again by whoever asks next
    place.catch(() => groups.delete(key));
    return place;
  }

  async function openPlace(group: Group, folder: string, dirs: ExtraDirs): Promise<Place> {
    await openGroupFolder({ path: folder });
    const guard = openSettingsGuard({
      ...{ settings: settingsOf(settings, group), workspace: folder, database },
      ...{ extraDirs: dirs, hashFile: hashWorkspaceFile },
    });
    guards.push(guard);
    return { workspace: folder, extraDirs: dirs, guard: guardIn(guard), group };
  }
}

/** What the owner has opened for themselves is not open to a group: it has its own mode, network and trust. */
function settingsOf(settings: Settings, { options }: Group): Settings {
  const { mode, sandbox } = options;
  const { tools } = settings.guard;
  const targets = (readonly: boolean) =>
    sandbox.additionalMounts.filter((mount) => mount.readonly === readonly).map(mountTarget);
  const stricter = Object.fromEntries(Object.entries(tools).filter(([, policy]) => policy !== "allow"));
  return {
    ...settings,
    guard: { ...settings.guard, mode, tools: stricter, vouchedFor: [], trustedDestinations: [], allowedHosts: [] },
    sandbox: {
      ...settings.sandbox,
      allowedHosts: sandbox.allowedHosts,
      kind: sandbox.kind,
      // as its commands call them; its other tools know them by their own paths
      readDirs: targets(true),
      writeDirs: targets(false),
    },
  };
}
