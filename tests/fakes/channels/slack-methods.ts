// What the fake Slack does when a method of its Web API is called; as strict as the real one where a mistake would show there.
import type { SlackMessage, Workspace } from "./slack-workspace.ts";

export type Args = Record<string, unknown>;

/** Its message is Slack's word for the refusal. */
export class MethodRefused extends Error {}

type Method = (workspace: Workspace, args: Args) => Record<string, unknown>;

export function answerMethod(workspace: Workspace, method: string, args: Args): Record<string, unknown> {
  const answer = methods[method];
  if (!answer) throw new MethodRefused("unknown_method");
  return answer(workspace, args);
}

const methods: Readonly<Record<string, Method>> = {
  "auth.test": () => ({
    url: "https://test.slack.com/",
    team: "Testers",
    user: "steward",
    user_id: "UBOT",
    bot_id: "BBOT",
  }),
  "apps.connections.open": (workspace) => ({ url: workspace.socketUrl() }),
  "users.info": ({ users }, args) => ({ user: users.get(text(args.user)) ?? refuse("user_not_found") }),
  "conversations.info": (workspace, args) => {
    const { messages: _, ...channel } = placeOf(workspace, args.channel);
    return { channel };
  },
  "conversations.open": (_, args) => ({
    channel: { id: { UADA: "D1", UBEN: "D2" }[text(args.users)] ?? refuse("user_not_found") },
  }),
  "conversations.history": (workspace, args) => {
    const { messages } = placeOf(workspace, args.channel);
    const top = messages.filter(({ ts, thread_ts: thread }) => thread === undefined || thread === ts);
    const found = inRange(top, args);
    const begun = workspace.history.beginsWithOldest ? found : found.reverse();
    const page = paged(begun, args);
    const shown = (page.messages as SlackMessage[]).map((message) => withReplies(message, messages));
    // each page is newest first all the same
    return { ...page, messages: workspace.history.beginsWithOldest ? shown.reverse() : shown };
  },
  "conversations.replies": (workspace, args) => {
    const { messages } = placeOf(workspace, args.channel);
    const root = messages.find(({ ts }) => ts === args.ts) ?? refuse("thread_not_found");
    const replies = inRange(
      messages.filter(({ ts, thread_ts: thread }) => thread === args.ts && ts !== args.ts),
      args,
    );
    return paged([withReplies(root, messages), ...replies], args);
  },
  "chat.postMessage": (workspace, args) => {
    const place = placeOf(workspace, args.channel);
    const said = checkWords(args, 40_000);
    const metadata = args.metadata as { event_type?: unknown } | undefined;
    if (metadata && !/^[a-z0-9_]+$/.test(text(metadata.event_type))) refuse("invalid_metadata_format");
    const thread = args.thread_ts === undefined ? {} : { thread_ts: text(args.thread_ts) };
    const message = { ...ours(workspace), ...said, ...thread, ...(metadata && { metadata }) };
    place.messages.push(message);
    return { channel: args.channel, ts: message.ts, message };
  },
  "chat.update": (workspace, args) => {
    const message = ourMessage(workspace, args);
    const { blocks, ...said } = checkWords(args, 4_000);
    // left out, the blocks stay
    Object.assign(message, said, args.blocks === undefined ? {} : { blocks });
    return { channel: args.channel, ts: message.ts, text: message.text };
  },
  "chat.delete": (workspace, args) => {
    const { messages } = placeOf(workspace, args.channel);
    messages.splice(messages.indexOf(ourMessage(workspace, args)), 1);
    return { channel: args.channel, ts: args.ts };
  },
  "chat.postEphemeral": (workspace, args) => {
    placeOf(workspace, args.channel);
    checkWords(args, 40_000);
    return { message_ts: workspace.nextTs() };
  },
  "reactions.add": (workspace, args) => {
    const { messages } = placeOf(workspace, args.channel);
    if (!messages.some(({ ts }) => ts === args.timestamp)) refuse("message_not_found");
    if (!/^[a-z0-9_+'-]+$/.test(text(args.name))) refuse("invalid_name");
    const reaction = `${text(args.timestamp)} ${text(args.name)}`;
    if (workspace.reactions.includes(reaction)) refuse("already_reacted");
    workspace.reactions.push(reaction);
    return {};
  },
  "assistant.threads.setStatus": (workspace, args) => {
    placeOf(workspace, args.channel_id);
    if (!args.thread_ts || args.status === undefined) refuse("invalid_arguments");
    return {};
  },
  "assistant.threads.setSuggestedPrompts": (workspace, args) => {
    placeOf(workspace, args.channel_id);
    if (!Array.isArray(args.prompts) || args.prompts.length > 4) refuse("invalid_arguments");
    return {};
  },
  "files.info": ({ files, origin }, args) => {
    const file = files.get(text(args.file)) ?? refuse("file_not_found");
    const { id, name, mimetype } = file;
    return { file: { id, name, mimetype, url_private_download: `${origin}/files/${id}/download` } };
  },
  "files.getUploadURLExternal": (workspace, args) => {
    if (!args.filename || !Number(args.length)) refuse("invalid_arguments");
    const id = workspace.nextId("F");
    const file = { id, name: text(args.filename), mimetype: "application/octet-stream", data: Buffer.alloc(0) };
    workspace.files.set(id, { ...file, isUploaded: false });
    return { upload_url: `${workspace.origin}/upload/${id}`, file_id: id };
  },
  "files.completeUploadExternal": (workspace, args) => {
    const place = placeOf(workspace, args.channel_id);
    const shared = (args.files as { id: string; title?: string }[]).map(({ id, title }) => {
      const file = workspace.files.get(id);
      if (!file?.isUploaded) return refuse("file_not_found");
      return { id, name: file.name, title };
    });
    const thread = args.thread_ts === undefined ? {} : { thread_ts: text(args.thread_ts) };
    place.messages.push({ ...ours(workspace), text: text(args.initial_comment), files: shared, ...thread });
    return { files: shared };
  },
  "files.delete": (workspace, args) => {
    if (!workspace.files.delete(text(args.file))) refuse("file_not_found");
    return {};
  },
};

function ours(workspace: Workspace) {
  return { type: "message", user: "UBOT", bot_id: "BBOT", ts: workspace.nextTs() };
}

function ourMessage(workspace: Workspace, args: Args): SlackMessage {
  const message = placeOf(workspace, args.channel).messages.find(({ ts }) => ts === args.ts);
  if (!message) return refuse("message_not_found");
  return message.user === "UBOT" ? message : refuse("cant_update_message");
}

function placeOf(workspace: Workspace, channel: unknown) {
  return workspace.channels.get(text(channel)) ?? refuse("channel_not_found");
}

function inRange(messages: readonly SlackMessage[], { oldest, latest, inclusive }: Args): SlackMessage[] {
  const slack = inclusive === "true" || inclusive === true ? 0 : 1e-7;
  return messages.filter(
    ({ ts }) =>
      (oldest === undefined || Number(ts) >= Number(oldest) + slack) &&
      (latest === undefined || Number(ts) <= Number(latest) - slack),
  );
}

function withReplies(message: SlackMessage, messages: readonly SlackMessage[]): SlackMessage {
  const replies = messages.filter(({ ts, thread_ts: thread }) => thread === message.ts && ts !== message.ts);
  const latest = replies.at(-1);
  return latest ? { ...message, thread_ts: message.ts, reply_count: replies.length, latest_reply: latest.ts } : message;
}

function paged(messages: readonly SlackMessage[], args: Args): Record<string, unknown> {
  const begin = Number(args.cursor ?? 0);
  const end = begin + Number(args.limit ?? 100);
  const hasMore = end < messages.length;
  const isMarked = args.include_all_metadata === "true" || args.include_all_metadata === true;
  return {
    messages: messages
      .slice(begin, end)
      .map(({ metadata, ...message }) => ({ ...message, ...(isMarked && metadata ? { metadata } : {}) })),
    has_more: hasMore,
    response_metadata: { next_cursor: hasMore ? String(end) : "" },
  };
}

type Block = {
  type: string;
  text?: { text?: string };
  elements?: { action_id: string; value: string; text: { text: string } }[];
};

function checkWords(args: Args, longest: number): { text: string; blocks?: readonly Block[] } {
  const blocks = args.blocks as readonly Block[] | undefined;
  if (!args.text && !blocks?.length) refuse("no_text");
  if (text(args.text).length > longest) refuse("msg_too_long");
  if (!blocks) return { text: text(args.text) };
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  const isWrong =
    blocks.length > 50 ||
    blocks.some(({ type, text: words }) => type === "section" && !isBetween(words?.text, 1, 3_000)) ||
    blocks.some(({ type, elements }) => type === "actions" && !isBetween(elements, 1, 25)) ||
    buttons.some((button) => !isBetween(button.text.text, 1, 75) || !isBetween(button.value, 1, 2_000)) ||
    new Set(buttons.map(({ action_id }) => action_id)).size < buttons.length;
  if (isWrong) refuse("invalid_blocks");
  return { text: text(args.text), blocks };
}

function isBetween(value: string | readonly unknown[] | undefined, fewest: number, most: number): boolean {
  const length = value?.length ?? 0;
  return length >= fewest && length <= most;
}

function text(value: unknown): string {
  return value === undefined ? "" : String(value);
}

function refuse(error: string): never {
  throw new MethodRefused(error);
}
