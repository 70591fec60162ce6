// The tools as a person sees them, and one of them tried: as a conversation of its own, so that every rule and record applies.

import { ConversationKey, conversationKey } from "../../contract/conversation-key.ts";
import { nearestName } from "../../contract/names/nearest-name.ts";
import type { Tool, Undo } from "../../contract/tool.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Served } from "../../contract/wire/methods/define-methods.ts";
import { directModel, type ToolPolicy, type ToolSummary, type toolMethods } from "../../contract/wire/methods/tools.ts";
import type { Queryable } from "../../store/database/database.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import { type ReceiveDeps, receiveMessage } from "../receive.ts";

export type ToolMethodDeps = ReceiveDeps & {
  database: Queryable;
  tools(): Promise<readonly Tool[]>;
  policyOf(tool: string): Exclude<ToolPolicy, "usual"> | undefined;
  status(): Promise<Readonly<Record<string, string>>>;
};

export function serveTools(deps: ToolMethodDeps): Served<typeof toolMethods> {
  return {
    async "tools.list"() {
      const tools = await deps.tools();
      return {
        tools: tools.map((tool) => summarise(tool, deps.policyOf(tool.name) ?? "usual")),
        commands: (await deps.status()).commands ?? "",
      };
    },
    async "tools.try"(caller, { tool: name, arguments: args, idempotencyKey }) {
      await requireFit(deps, name, args);
      const conversation = tryConversation(name);
      await prepare(deps, conversation, name);
      const receipt = await receiveMessage(deps, {
        conversation,
        channel: "web",
        sender: caller.sender,
        text: JSON.stringify({ tool: name, arguments: args }),
        attachments: [],
        idempotencyKey: idempotencyKey && `tools.try ${idempotencyKey}`,
      });
      if (!receipt.accepted) throw new CallRefused("conflict", receipt.reason ?? "Too many tries are waiting already.");
      return { sessionKey: conversation, runId: receipt.messageId, seq: receipt.seq };
    },
  };
}

function summarise(tool: Tool, policy: ToolPolicy): ToolSummary {
  return {
    name: tool.name,
    description: tool.declaration.description,
    effects: [...tool.effects],
    class: tool.class,
    undo: undoWords(tool.undo),
    policy,
    schema: tool.argumentsSchema(),
  };
}

function undoWords(undo: Undo): string {
  switch (undo.kind) {
    case "nothing to undo":
      return "It changes nothing, so there is nothing to take back.";
    case "checkpointed":
      return "What was there before is kept, and can be brought back.";
    case "impossible":
      return `It cannot be taken back: ${undo.reason}.`;
    default:
      return undo satisfies never;
  }
}

// a person gets the mistake beside the form, not as a failed call in a log
async function requireFit(deps: ToolMethodDeps, name: string, args: Record<string, unknown>): Promise<void> {
  const tools = await deps.tools();
  const tool = tools.find((known) => known.name === name);
  if (!tool) {
    const names = tools.map((known) => known.name);
    const meant = nearestName(name, names);
    const hint = meant ? `Did you mean ${meant}?` : `There are: ${names.join(", ")}.`;
    throw new CallRefused("not_found", `There is no tool called ${name}. ${hint}`);
  }
  const bound = tool.bind(args);
  if (!bound.ok) throw new CallRefused("invalid", `The arguments of ${name} do not fit: ${bound.message}`);
}

function tryConversation(tool: string): string {
  const plain = ConversationKey.safeParse(`web--try-${tool}`);
  return plain.success ? plain.data : conversationKey("web", `try-${tool}`);
}

async function prepare(deps: ToolMethodDeps, conversation: string, tool: string): Promise<void> {
  const state = await conversationState(deps.database, conversation);
  if (state?.model === directModel) return;
  await deps.log.append([
    { type: "conversation.configured", conversation, model: directModel, ...(!state && { title: `Try ${tool}` }) },
  ]);
}
