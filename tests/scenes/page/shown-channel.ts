// A channel and a group as the gateway tells of them, for the tests of the page's own rules.
import type { MethodResult } from "../../../src/contract/wire/method.ts";
import type { ShownChannel } from "../../../src/contract/wire/methods/channels.ts";

export function shownChannel(more: Partial<ShownChannel> = {}): ShownChannel {
  return {
    name: "telegram",
    title: "Telegram",
    receives: true,
    groups: true,
    state: "off",
    detail: "",
    secrets: [{ name: "TELEGRAM_BOT_TOKEN", found: false }],
    people: [],
    waiting: 0,
    ...more,
  };
}

type ShownGroup = MethodResult<"groups.list">["groups"][number];

export function shownGroup(more: Partial<ShownGroup> = {}): ShownGroup {
  return {
    name: "family",
    title: "Family",
    conversation: "telegram--_2d_100",
    channel: "telegram",
    address: { chat: "-100" },
    options: groupOptions(),
    folder: "/home/anna/.steward/groups/family",
    problems: [],
    ...more,
  };
}

export function groupOptions(more: Partial<ShownGroup["options"]> = {}): ShownGroup["options"] {
  return {
    trigger: null,
    needsTrigger: true,
    mode: "ask",
    sandbox: {
      kind: "auto",
      image: "",
      additionalMounts: [],
      timeoutSeconds: 1_800,
      allowedHosts: [],
      credentials: [],
      madeAnew: 0,
    },
    model: null,
    ...more,
  };
}
