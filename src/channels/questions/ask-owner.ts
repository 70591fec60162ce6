// Questions that wait for the owner are put where they are: in the chat that asked, else in the one they last used, and on their phone.
import { type Chat, conversationAt } from "../../contract/channel/address.ts";
import { channelOf } from "../../contract/conversation-key.ts";
import type { Event } from "../../contract/event.ts";
import { isBackground } from "../../contract/task/task.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import type { ChannelsDeps, OpenChannels } from "../channels-deps.ts";
import { fence } from "../fence.ts";
import { findOwnersChat, mayStillTalk } from "../intake/people.ts";
import { plainLine, plainName } from "../plain-name.ts";

/** A few messages on any platform. */
const longestAsked = 12_000;

export type AskOwner = { start(): Promise<void>; close(): Promise<void> };

export function openAskOwner(deps: ChannelsDeps, channels: OpenChannels): AskOwner {
  const closing = new AbortController();
  const working = new Set<Promise<void>>();
  const stop = deps.store.log.subscribe((events) => {
    for (const event of events)
      if (isQuestion(event)) begin(event.approvalId, deps.settings.channels.askElsewhereAfterSeconds);
  });
  return {
    // whoever asked before this process began has been asked already, or is asked now
    async start() {
      for (const { approvalId } of await deps.ledger.openApprovals()) begin(approvalId, 0);
    },
    async close() {
      stop();
      closing.abort();
      await Promise.all(working);
    },
  };

  function begin(approvalId: string, waitSeconds: number): void {
    const work = ask(approvalId, waitSeconds)
      .catch((cause) => deps.trouble("A question could not be put into a chat. It waits in the Inbox.", cause))
      .finally(() => working.delete(work));
    working.add(work);
  }

  async function ask(approvalId: string, waitSeconds: number): Promise<void> {
    const question = await findOpen(approvalId);
    if (!question) return;
    const { sessionKey } = question;
    const own = await ownersChatAt(sessionKey);
    if (own) return tell(sessionKey, own.channel, question);
    await tellPhone(question);
    await tellGroup(question);
    // what a run asks is told by the task itself, where its answers go
    if (isBackground(sessionKey)) return;
    // whoever sits at the page or the terminal answers there
    if (!(await deps.ledger.groupOf(sessionKey))) await deps.sleep(waitSeconds * 1000, closing.signal);
    if (closing.signal.aborted || !(await findOpen(approvalId))) return;
    const chat = await findOwnersChat(deps);
    if (chat && channels.has(chat.channel)) await tell(chat.conversation, chat.channel, question);
  }

  /** Where it was asked, if that is a chat of the owner's in which an answer can be given. */
  async function ownersChatAt(conversation: string): Promise<Chat | undefined> {
    const capabilities = channels.get(channelOf(conversation))?.definition.capabilities;
    if (!capabilities?.buttons || capabilities.identity !== "verified") return undefined;
    const chat = await deps.ledger.chat(conversation);
    return chat?.isDirect && (await mayStillTalk(deps, chat)) ? chat : undefined;
  }

  async function tellPhone(question: OpenApproval): Promise<void> {
    const phone = channels.get("ntfy");
    if (!phone) return;
    const { topic } = deps.settings.channels.ntfy;
    await tell(conversationAt("ntfy", { chat: topic }), "ntfy", question);
  }

  async function tell(conversation: string, channel: string, question: OpenApproval): Promise<void> {
    const { approvalId, labels } = question;
    const text = deps.redact(await wordsFor(question, conversation));
    const idempotencyKey = `asks:${approvalId}:${conversation}`;
    const place = { conversation, channel };
    // what is not shown whole is not to be answered here, and hundreds of messages would keep out everything behind them
    const whole = { text, asks: approvalId, labels: [...labels] };
    const said = text.length <= longestAsked ? whole : { text: await tooLongWords(question, conversation) };
    await deps.store.log.append([{ type: "reply.written", ...place, ...said, attachments: [] }], { idempotencyKey });
  }

  async function tooLongWords(question: OpenApproval, conversation: string): Promise<string> {
    const size = question.display.length.toLocaleString("en-US");
    return `I would like to do something (**${question.tool}**${await whereFrom(question, conversation)}) that is too long to be shown here: ${size} characters. Look at it and answer in the Inbox on my page.`;
  }

  /** What stands outside the fence is said by Steward, so nobody else's words may look like more than a line in it. */
  async function wordsFor(question: OpenApproval, conversation: string): Promise<string> {
    const { tool, display, reason, workingDir, labels, sessionKey } = question;
    // masked before anything is escaped, which would hide a secret from the one who masks it
    const line = (words: string) => plainLine(deps.redact(words));
    const shown = deps.redact(display);
    const where = workingDir === undefined ? "" : `\nFolder: ${line(workingDir)}`;
    const others = labels.filter((label) => !label.startsWith("person:"));
    const whose =
      others.length === 0 ? "" : `\nThe conversation holds text from: ${line(others.slice(0, 5).join(", "))}`;
    const masked = shown !== display ? "\nA part that looks like a secret is masked here." : "";
    // a plain yes could be meant for something else that is going on here
    const how = sessionKey === conversation ? "Press a button, or answer yes or no." : "Press a button.";
    const from = await whereFrom(question, conversation);
    return `May I do this (**${tool}**${from})?\n\n${fence(shown)}\n${line(reason)}${where}${whose}${masked}\n\n${how}`;
  }

  async function whereFrom({ sessionKey }: OpenApproval, conversation: string): Promise<string> {
    const group = await deps.ledger.groupOf(sessionKey);
    if (group) return `, for “${plainName(deps.redact(group.title))}”`;
    if (sessionKey === conversation) return "";
    const { session } = await deps.client().call("sessions.get", { sessionKey, limit: 1 });
    return session.title === "" ? "" : `, in “${plainName(deps.redact(session.title))}”`;
  }

  /** Whoever asked for it hears why nothing happens yet. */
  async function tellGroup({ approvalId, sessionKey }: OpenApproval): Promise<void> {
    const group = await deps.ledger.groupOf(sessionKey);
    if (!group || group.channel === "email" || !channels.has(group.channel) || isBackground(sessionKey)) return;
    const text = "I have asked the owner, and go on when they have answered.";
    await deps.store.log.append(
      [{ type: "reply.written", conversation: sessionKey, channel: group.channel, text, attachments: [] }],
      { idempotencyKey: `asked in:${approvalId}` },
    );
  }

  async function findOpen(approvalId: string): Promise<OpenApproval | undefined> {
    return (await deps.ledger.openApprovals()).find((open) => open.approvalId === approvalId);
  }
}

function isQuestion(event: Event): event is Extract<Event, { type: "approval.asked" }> {
  return event.type === "approval.asked";
}
