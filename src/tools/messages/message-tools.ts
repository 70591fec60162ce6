// Words and files for the owner while a turn goes on: the event is written here, its delivery is the gateway's.
import { basename } from "node:path";
import { z } from "zod";
import type { AttachmentRef, AttachmentStore } from "../../contract/attachment.ts";
import { channelOf } from "../../contract/conversation-key.ts";
import { defineTool, type Tool, type ToolContext, textResult } from "../../contract/tool.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { escapeName, quoteName } from "../paths/escape-text.ts";
import { resultOf } from "../paths/refusal.ts";
import { readWorkspaceFile } from "../paths/workspace-files.ts";

const maxFileBytes = 20 * 1024 * 1024;

type MessageDeps = { log: EventLog; attachments: AttachmentStore; redact(text: string): string };

/** What a tool says of itself that tells the owner something, and no more than once. */
const tellsTheOwner = { result: textResult, effects: ["reads"], class: "idempotent" } as const;

export function messageTools(deps: MessageDeps): readonly Tool[] {
  return [sendMessageTool(deps), sendFileTool(deps)];
}

function sendMessageTool(deps: MessageDeps): Tool {
  return defineTool({
    name: "send_message",
    description: "Tell the owner something before the turn is over.",
    arguments: z.object({ text: z.string().min(1).max(20_000) }),
    ...tellsTheOwner,
    undo: { kind: "impossible", reason: "it has been read" },
    formatApproval: (args) => args.text,
    async run(context, { text }) {
      await write(deps, context, text, []);
      return { outcome: "done", output: "Sent." };
    },
  });
}

function sendFileTool(deps: MessageDeps): Tool {
  return defineTool({
    name: "send_file",
    description: "Give the owner a file of the workspace.",
    arguments: z.object({ path: z.string(), text: z.string().max(20_000).optional() }),
    ...tellsTheOwner,
    undo: { kind: "impossible", reason: "it has been received" },
    paths: (args) => [{ path: args.path, access: "read" }],
    formatApproval: ({ path, text }) => `Send ${escapeName(path)}${text ? ` with the words:\n${text}` : ""}`,
    async run(context, { path, text }) {
      const shown = quoteName(path);
      const file = await readWorkspaceFile(context, path, maxFileBytes);
      if ("refused" in file) return resultOf(file);
      if (!file.bytes)
        return resultOf({ refused: `${shown} is larger than the ${maxFileBytes} bytes that can be sent.` });
      const name = basename(path);
      const ref = await deps.attachments.add({ name, mediaType: mediaTypeOf(name), data: file.bytes });
      await write(deps, context, text ?? "", [ref]);
      return { outcome: "done", output: `Sent ${shown}.` };
    },
  });
}

async function write(deps: MessageDeps, context: ToolContext, words: string, attachments: AttachmentRef[]) {
  const { conversation, turn, callId } = context;
  const text = deps.redact(words);
  await deps.log.append(
    [{ type: "reply.written", conversation, channel: channelOf(conversation), text, attachments }],
    // run again after a crash, it is still said once
    { idempotencyKey: `said:${turn}:${callId}` },
  );
}

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  gif: "image/gif",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  json: "application/json",
  md: "text/markdown",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  webp: "image/webp",
  zip: "application/zip",
};

function mediaTypeOf(name: string): string {
  return types[name.toLowerCase().split(".").at(-1) ?? ""] ?? "application/octet-stream";
}
