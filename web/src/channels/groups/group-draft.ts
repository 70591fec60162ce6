// What stands in the form of a group, and what of it is sent. Options that the form does not show stay as they are.
import type { GroupOptions } from "./group-words.ts";

export type MountDraft = { hostPath: string; containerPath: string; isReadonly: boolean };

export type GroupDraft = {
  /** Of its folder; only a new group has a choice. Empty: made from the title. */
  name: string;
  title: string;
  trigger: string;
  needsTrigger: boolean;
  mode: GroupOptions["mode"];
  /** One per line. */
  hosts: string;
  credentials: string;
  mounts: readonly MountDraft[];
  timeoutMinutes: string;
  kind: GroupOptions["sandbox"]["kind"];
  /** Empty: the usual one. */
  image: string;
};

export type DraftProblems = Partial<Record<keyof GroupDraft, string>>;

export const usualOptions: GroupOptions = {
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
};

export function draftOf(title: string, options: GroupOptions): GroupDraft {
  const { sandbox, trigger, needsTrigger, mode } = options;
  return {
    ...{ name: "", title, trigger: trigger ?? "", needsTrigger, mode },
    hosts: sandbox.allowedHosts.join("\n"),
    credentials: sandbox.credentials.join("\n"),
    mounts: sandbox.additionalMounts.map(({ hostPath, containerPath = "", readonly }) => ({
      ...{ hostPath, containerPath },
      isReadonly: readonly,
    })),
    timeoutMinutes: String(Number((sandbox.timeoutSeconds / 60).toFixed(2))),
    ...{ kind: sandbox.kind, image: sandbox.image },
  };
}

export function checkDraft(draft: GroupDraft): DraftProblems {
  const seconds = secondsOf(draft);
  const [hosts, credentials] = [hostsProblem(draft.hosts), hostsProblem(draft.credentials)];
  const mounts = mountsOf(draft);
  return {
    ...(draft.title.trim() === "" && { title: "Give it a name, so that you know it again." }),
    ...(draft.name.trim() !== "" &&
      !/^[a-z0-9][a-z0-9-]{0,39}$/.test(draft.name.trim()) && {
        name: "Small letters, digits and dashes only, 40 at most.",
      }),
    ...(draft.trigger.trim().length > 60 && { trigger: "Choose something shorter: 60 letters at most." }),
    ...(!(seconds >= 1 && seconds <= 86_400) && { timeoutMinutes: "Between one minute and a day (1440)." }),
    ...(mounts.some(({ hostPath }) => !/^~?\//.test(hostPath)) && {
      mounts: "Write the whole path of each folder, beginning with / or ~/.",
    }),
    ...(hosts !== undefined && { hosts }),
    ...(credentials !== undefined && { credentials }),
  };
}

/** `before`: what it had, or has by itself when it is new. */
export function optionsOf(draft: GroupDraft, before: GroupOptions): GroupOptions {
  const trigger = draft.trigger.trim();
  return {
    ...before,
    ...{ trigger: trigger === "" ? null : trigger, needsTrigger: draft.needsTrigger, mode: draft.mode },
    sandbox: {
      ...before.sandbox,
      allowedHosts: linesOf(draft.hosts),
      credentials: linesOf(draft.credentials),
      additionalMounts: mountsOf(draft).map(({ hostPath, containerPath, isReadonly }) => ({
        hostPath,
        ...(containerPath !== "" && { containerPath }),
        readonly: isReadonly,
      })),
      timeoutSeconds: secondsOf(draft),
      ...{ kind: draft.kind, image: draft.image.trim() },
    },
  };
}

// a line that was begun and left empty is no folder
function mountsOf({ mounts }: GroupDraft): MountDraft[] {
  return mounts
    .map((mount) => ({ ...mount, hostPath: mount.hostPath.trim(), containerPath: mount.containerPath.trim() }))
    .filter(({ hostPath }) => hostPath !== "");
}

function secondsOf({ timeoutMinutes }: GroupDraft): number {
  return Math.round(Number(timeoutMinutes.trim().replace(",", ".")) * 60);
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
}

function hostsProblem(text: string): string | undefined {
  const strange = linesOf(text).find((host) => /[/@]|:\/\//.test(host) || host.length > 253);
  return strange === undefined ? undefined : `Write the name of the host only, such as example.org, not “${strange}”.`;
}
