import type { ConversationItem } from "../../contract/conversation/conversation.ts";
import { visibleLine } from "../visible-text.ts";
import { allItems, type ChatState } from "./chat-state.ts";

export type Welcome = {
  name: string;
  version: string;
  model: string;
  folder: string;
  /** A link that lets one browser in, where a page is served. */
  pageLink: string | undefined;
};

const questionsShown = 3;

/** What it is, where its page is, and what to do. */
export function welcomeLines(welcome: Welcome): readonly [string, ...string[]] {
  const { name, version, model, folder, pageLink } = welcome;
  return [
    [`${visibleLine(name, 40)} ${version}`, visibleLine(model, 80), visibleLine(folder, 200)].join(" · "),
    ...(pageLink === undefined ? [] : [`In the browser: ${visibleLine(pageLink, 200)}`]),
    "Write a message and press Enter. /help lists the commands.",
  ];
}

/** All but the end of a conversation, which is its last questions with their answers, and whatever still waits. */
export function earlierItems(state: ChatState): readonly ConversationItem[] {
  const items = allItems(state);
  const starts = items.flatMap((item, index) => (item.kind === "person" ? [index] : []));
  const from = starts.at(-questionsShown) ?? 0;
  return items.slice(0, from).filter((item) => item.kind !== "approval" || item.decision !== undefined);
}
