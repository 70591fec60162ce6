// What the assistant can do about groups, in the owner's own conversations only: in a group these tools are refused.
import { z } from "zod";
import { GroupName, GroupOptions } from "../../contract/channel/group.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { SeenChat } from "../../contract/wire/methods/channels.ts";
import { type ChannelMethodDeps, registerGroup } from "../channel-methods.ts";
import { groupLine } from "./group-words.ts";

type GroupToolDeps = ChannelMethodDeps & { restart(): void };

const looking = { result: textResult, effects: ["reads"], class: "read", undo: { kind: "nothing to undo" } } as const;
const changing = {
  result: textResult,
  effects: ["changes"],
  class: "idempotent",
  undo: { kind: "impossible", reason: "it is changed back by the same tool" },
} as const;

export function groupTools(deps: GroupToolDeps): readonly Tool[] {
  return [listTool(deps), registerTool(deps), removeTool(deps), restartTool(deps), rebuildTool(deps)];
}

function listTool(deps: GroupToolDeps): Tool {
  return defineTool({
    name: "list_groups",
    description: "The group chats you answer in, and those where you are silent.",
    arguments: z.object({}),
    ...looking,
    formatApproval: () => "List the groups",
    run: (context) =>
      answering(context, async () => {
        const groups = await deps.ledger.groups();
        const silent = (await silentChats(deps)).map((seen) => `${chatId(seen)}: ${seen.title}, silent`);
        const lines = [...groups.map((group) => groupLine(group, deps.settings.agent.name)), ...silent];
        return { output: lines.join("\n") || "There are no groups.", labels: ["groups"] };
      }),
  });
}

function registerTool(deps: GroupToolDeps): Tool {
  return defineTool({
    name: "register_group",
    description: "Answer in a group chat from now on.",
    arguments: z.object({
      chat: z.string().min(1).max(200).describe("id of list_groups, such as telegram:-1001"),
      name: GroupName.optional(),
      trigger: z.string().min(1).max(60).optional(),
    }),
    ...changing,
    preview: async (_asked, { chat, name, trigger }) => {
      const seen = (await silentChats(deps)).find((each) => chatId(each) === chat);
      return seen && `${asksFor({ chat, name, trigger })}\nIt is called “${seen.title}”.`;
    },
    formatApproval: asksFor,
    run: (context, { chat, name, trigger }) =>
      answering(context, async () => {
        // by its id and nothing that could mean another chat once the owner has said yes
        const seen = (await silentChats(deps)).find((each) => chatId(each) === chat);
        if (!seen) throw new CallRefused("not_found", `There is no chat ${chat}. list_groups names those there are.`);
        const options = GroupOptions.parse({ trigger: trigger ?? null });
        const group = await registerGroup(deps, context.asker, { ...seen, name, options });
        return { output: `“${group.title}” is the group ${group.name} now.` };
      }),
  });
}

function removeTool(deps: GroupToolDeps): Tool {
  return defineTool({
    name: "remove_group",
    description: "Stay silent in a group from now on.",
    arguments: z.object({ group: GroupName }),
    ...changing,
    formatApproval: ({ group }) => `Stay silent in the group ${group}`,
    run: (context, { group }) =>
      answering(context, async () => {
        await deps.client(context.asker).call("groups.remove", { group });
        return { output: `Silent in ${group}. Its folder is kept.` };
      }),
  });
}

function restartTool(deps: GroupToolDeps): Tool {
  return defineTool({
    name: "request_restart",
    description: "Restart Steward; turns go on afterwards.",
    arguments: z.object({}),
    ...changing,
    formatApproval: () => "Restart Steward",
    run: (context) =>
      answering(context, async () => {
        // by then the answer is on its way
        setTimeout(deps.restart, 500).unref();
        return { output: "Steward restarts in a moment." };
      }),
  });
}

function rebuildTool(deps: GroupToolDeps): Tool {
  return defineTool({
    name: "rebuild_container",
    description: "Rebuild a group's sandbox from its settings and image as they are now.",
    arguments: z.object({ group: GroupName }),
    ...changing,
    formatApproval: ({ group }) => `Rebuild the sandbox of the group ${group}`,
    run: (context, { group }) =>
      answering(context, async () => {
        const found = (await deps.ledger.groups()).find(({ name }) => name === group);
        if (!found) throw new CallRefused("not_found", `There is no group ${group}.`);
        const { options } = found;
        const sandbox = { ...options.sandbox, madeAnew: options.sandbox.madeAnew + 1 };
        await deps.client(context.asker).call("groups.change", { group, options: { ...options, sandbox } });
        return { output: `The next command of ${group} runs in a new sandbox.` };
      }),
  });
}

/** The guard keeps these tools out of groups; this holds also where it is told otherwise. */
async function answering(
  { group, asker }: ToolContext,
  work: () => Promise<{ output: string; labels?: readonly string[] }>,
): Promise<ToolResult> {
  if (group || asker.kind === "group" || asker.kind === "stranger")
    return { outcome: "failed", output: "Only the owner's own conversations may do this." };
  try {
    return { outcome: "done", ...(await work()) };
  } catch (cause) {
    if (!(cause instanceof CallRefused)) throw cause;
    return { outcome: "failed", output: cause.message };
  }
}

function asksFor({ chat, name, trigger }: { chat: string; name?: string | undefined; trigger?: string | undefined }) {
  return `Answer in the group chat ${chat}${name ? `, folder groups/${name}` : ""}${trigger ? `, called by ${trigger}` : ""}`;
}

function chatId({ channel, address }: SeenChat): string {
  return `${channel}:${address.chat}`;
}

/** Where the bot sits and no group is. */
async function silentChats({ ledger, sightings }: GroupToolDeps) {
  const groups = await ledger.groups();
  const isGroup = (channel: string, chat: string) =>
    groups.some((group) => group.channel === channel && group.address.chat === chat);
  return (await sightings.list()).filter(({ channel, address }) => !isGroup(channel, address.chat));
}
