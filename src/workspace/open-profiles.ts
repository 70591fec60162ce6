// Who speaks in a conversation: an agent's name and the tools on offer come in, its model and whole system text go out.

import type { Group } from "../contract/channel/group.ts";
import { channelOf } from "../contract/conversation-key.ts";
import type { PromptPart, PromptPlace } from "../contract/room/room.ts";
import { isBackground, tidyConversation } from "../contract/task/task.ts";
import { openGroupFiles } from "./group-folder.ts";
import { groupPrompt, toolsInGroups } from "./group-profile.ts";
import { heartbeatFiles, mostTidySteps, toolsIn } from "./heartbeat-profile.ts";
import { type Agent, listAgents, mainAgent } from "./list-agents.ts";
import type { Workspace } from "./open-workspace.ts";
import { openMoments, systemPrompt } from "./system-prompt.ts";

export type Profile = {
  model: string | undefined;
  /** The tools it may use; undefined: all of them. */
  toolNames: readonly string[] | undefined;
  system: readonly PromptPart[];
  /** Where fewer steps are enough than the settings allow. */
  maxSteps?: number;
};

export type Profiles = {
  /** Of a conversation wherever it takes place, with what all rooms have to say. */
  at(place: TurnPlace, agentId: string | undefined, tools: readonly { name: string }[]): Promise<Profile>;
  /** `parts`: what other rooms have to say. */
  of(
    conversation: string,
    agentId: string | undefined,
    toolNames: readonly string[],
    parts?: readonly PromptPart[],
  ): Promise<Profile>;
  /** In a group the main agent speaks, by the files of its folder and with few tools. */
  ofGroup(place: GroupPlace, toolNames: readonly string[], parts?: readonly PromptPart[]): Promise<Profile>;
};

export type GroupPlace = { group: Group; workspace: string; conversation: string };
type TurnPlace = { group: Group | undefined; workspace: string; conversation: string };

export function openProfiles(deps: {
  workspace: Workspace;
  agentName: string;
  /** Who speaks where nobody was chosen. */
  defaultAgent: string;
  timeZone: string;
  nowMs(): number;
  warn(message: string): void;
  promptParts?(place: PromptPlace): Promise<readonly PromptPart[]>;
}): Profiles {
  const momentAt = openMoments(deps.timeZone);
  const told = new Set<string>();
  const loadGroupFiles = openGroupFiles(deps.workspace.path);
  return { at, of, ofGroup };

  async function at(place: TurnPlace, agentId: string | undefined, tools: readonly { name: string }[]) {
    const { conversation, group } = place;
    const names = tools.map(({ name }) => name);
    const agent = agentId ?? deps.defaultAgent;
    const parts = (await deps.promptParts?.({ conversation, channel: channelOf(conversation), agent })) ?? [];
    return group ? ofGroup({ ...place, group }, names, parts) : of(conversation, agentId, names, parts);
  }

  async function ofGroup(
    { group, workspace, conversation }: GroupPlace,
    toolNames: readonly string[],
    parts: readonly PromptPart[] = [],
  ): Promise<Profile> {
    const { files, warnings } = await loadGroupFiles(workspace);
    warnings.forEach(tellOnce);
    const tools = toolNames.filter((name) => toolsInGroups.has(name));
    const own = groupPrompt(group, deps.agentName);
    const system = systemPrompt({
      ...{ agentName: deps.agentName, agent: mainAgent(deps.agentName), files, tools },
      ...{ now: momentAt(deps.nowMs()), conversation, channel: group.channel },
      parts: [
        own,
        ...parts.filter(({ tool }) => (tool === undefined ? isBackground(conversation) : tools.includes(tool))),
      ],
    });
    return { model: group.options.model ?? undefined, toolNames: tools, system };
  }

  async function of(
    conversation: string,
    agentId: string | undefined,
    toolNames: readonly string[],
    parts: readonly PromptPart[] = [],
  ): Promise<Profile> {
    const agent = await findAgent(agentId);
    const { files, warnings } = await deps.workspace.loadConventionFiles();
    warnings.forEach(tellOnce);
    const channel = channelOf(conversation);
    const isBeat = channel === "heartbeat";
    const offered = toolsIn(conversation, toolNames, files);
    const tools = offered.filter((name) => !agent.tools || agent.tools.includes(name));
    const system = systemPrompt({
      agentName: deps.agentName,
      agent,
      files: isBeat ? heartbeatFiles(files) : files,
      tools,
      now: momentAt(deps.nowMs()),
      conversation,
      channel,
      parts: parts.filter(({ tool }) => tool === undefined || tools.includes(tool)),
    });
    const isOffered = offered.length === toolNames.length;
    return {
      ...{ model: agent.model, toolNames: isOffered ? agent.tools : tools, system },
      ...(conversation === tidyConversation && { maxSteps: mostTidySteps }),
    };
  }

  async function findAgent(id = deps.defaultAgent): Promise<Agent> {
    // most conversations have no agent of their own, and then there is nothing to look for
    if (id === "main") return mainAgent(deps.agentName);
    const { agents, warnings } = await listAgents({ path: deps.workspace.path, mainName: deps.agentName });
    warnings.forEach(tellOnce);
    const found = agents.find((agent) => agent.id === id);
    if (found) return found;
    tellOnce(`There is no agent ${id} any more; the main one speaks instead, without tools.`);
    return { ...mainAgent(deps.agentName), tools: [] };
  }

  function tellOnce(warning: string): void {
    if (told.has(warning)) return;
    told.add(warning);
    deps.warn(warning);
  }
}
