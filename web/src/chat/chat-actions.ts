import type { PersonItem, ToolItem } from "../../../src/contract/conversation/conversation.ts";
import type { App } from "../app/app.ts";
import { CallFailed } from "../gateway/gateway-link.ts";
import { answerText, questionOf, setAsideWords } from "./conversation/set-aside.ts";
import type { OpenConversation } from "./open-conversation.ts";
import type { Outbox, Outgoing } from "./outbox/outbox.ts";
import { fetchUploads } from "./outbox/upload.ts";

/** What the parts of a conversation can ask the page to do. */
export type ChatActions = {
  /** Says something else in the place of an earlier message. */
  reword(item: PersonItem, text: string): void;
  /** What rewording does to what came after, in words. */
  setsAside(item: PersonItem): string | undefined;
  /** Asks the question of a turn once more. */
  askAgain(turn: string): void;
  /** Everything Steward said in a turn. */
  answerText(turn: string): string;
  undo(item: ToolItem): Promise<void>;
  loadEarlier(): void;
  /** Sends a message that failed once more. */
  resend(key: string): void;
  /** Puts a message that failed back into the composer. */
  takeBack(key: string): void;
};

export type ChatActionsDeps = {
  app(): App;
  conversation(): OpenConversation | undefined;
  /** Also of a conversation that has not begun. */
  outbox(): Outbox | undefined;
  takeBack(message: Outgoing): void;
  sent(): void;
};

export function openChatActions(deps: ChatActionsDeps): ChatActions {
  const items = () => deps.conversation()?.state.value.conversation.items ?? [];
  const say = (text: string, tone: "quiet" | "error" = "quiet") => deps.app().say(text, { tone });
  const setsAside = (item: PersonItem) => setAsideWords(items(), item.seq);

  return {
    reword: (item, text) => void orSay(replace(item, text)),
    setsAside,
    askAgain(turn) {
      const question = questionOf(items(), turn);
      if (question) void orSay(replace(question, question.text));
    },
    answerText: (turn) => answerText(items(), turn),
    undo: (item) => orSay(undo(item)),
    loadEarlier: () => void orSay(deps.conversation()?.loadEarlier()),
    resend: (key) => deps.outbox()?.retry(key),
    takeBack(key) {
      const message = deps.outbox()?.withdraw(key);
      if (message) deps.takeBack(message);
    },
  };

  async function replace(item: PersonItem, text: string): Promise<void> {
    const uploads = await fetchUploads(item.attachments);
    const words = setsAside(item);
    deps.conversation()?.send({ text, uploads, replaces: item.seq });
    deps.sent();
    if (words !== undefined) say(words);
  }

  async function undo(item: ToolItem): Promise<void> {
    const sessionKey = deps.conversation()?.key;
    if (sessionKey === undefined || item.returned === undefined) return;
    const { undone, output } = await deps.app().link.call("changes.undo", { sessionKey, returned: item.returned });
    say(output, undone ? "quiet" : "error");
  }

  async function orSay(doing: Promise<void> | undefined): Promise<void> {
    try {
      await doing;
    } catch (cause) {
      const words =
        cause instanceof CallFailed && cause.code === "lost" ? "The connection broke. Try again." : undefined;
      say(words ?? (cause instanceof Error ? cause.message : String(cause)), "error");
    }
  }
}
