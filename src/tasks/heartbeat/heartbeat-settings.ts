// The settings of the heartbeat as they can be used; what makes no sense is told and replaced by what does.
import { ConversationKey, isFollowed } from "../../contract/conversation-key.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import { isBackground } from "../../contract/task/task.ts";
import { isTimeZone, minuteMs } from "../schedule/zone.ts";
import { readActiveHours } from "./active-hours.ts";
import type { Rhythm } from "./beat-times.ts";

type SettingsDeps = Pick<RoomBase, "settings" | "timeZone">;

export function readRhythm({ settings, timeZone: ownersZone }: SettingsDeps): Rhythm {
  const { intervalMinutes, activeHours, timeZone } = settings.heartbeat;
  return {
    intervalMs: intervalMinutes * minuteMs,
    hours: readActiveHours(activeHours),
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : ownersZone,
  };
}

/** Where its words go: as it was set, or the last place if that is none. */
export function readDeliverTo({ settings }: Pick<RoomBase, "settings">): string {
  const { deliverTo } = settings.heartbeat;
  return isPlace(deliverTo) ? deliverTo : "last";
}

/** What the owner should know of, one sentence each. */
export function settingTroubles(deps: SettingsDeps & Pick<RoomBase, "offered">): readonly string[] {
  const { deliverTo, timeZone } = deps.settings.heartbeat;
  const isKnown = isPlace(deliverTo) && (!/^[a-z0-9]+$/.test(deliverTo) || isChannel(deps, deliverTo));
  return [
    ...(isKnown
      ? []
      : [
          `heartbeat.deliverTo is “${deliverTo}”, and there is no such place: what the heartbeat has to say goes where you last spoke. Set it to last, main, none, a channel, or a conversation such as terminal--default.`,
        ]),
    ...(timeZone === null || isTimeZone(timeZone)
      ? []
      : [
          `heartbeat.timeZone is “${timeZone}”, which is no time zone: ${deps.timeZone} is used. Write one such as Europe/Berlin.`,
        ]),
  ];
}

function isPlace(deliverTo: string): boolean {
  if (deliverTo === "origin") return false;
  if (deliverTo.includes("--")) return ConversationKey.safeParse(deliverTo).success && !isBackground(deliverTo);
  return /^[a-z0-9]+$/.test(deliverTo);
}

const words: readonly string[] = ["last", "main", "none"];

function isChannel({ offered }: Pick<RoomBase, "offered">, name: string): boolean {
  const isChat = isFollowed(name) && name !== "task" && name !== "heartbeat";
  return words.includes(name) || isChat || Object.hasOwn(offered.senders(), name);
}
