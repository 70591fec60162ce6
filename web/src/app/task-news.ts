// What tasks say in conversations that are not on the screen: a short line, and a mark on each of them until it is opened.
import { questionIn, taskHeading } from "../../../src/contract/conversation/task-words.ts";
import type { EventOf } from "../../../src/contract/event.ts";
import { visibleLine } from "../../../src/contract/words/visible-line.ts";
import type { GatewayLink } from "../gateway/gateway-link.ts";
import { openWatched, type Watched } from "../state/watched.ts";
import { isBackground, withoutMarks } from "../words.ts";
import type { App } from "./app.ts";

export type TaskNewsDeps = {
  link: Pick<GatewayLink, "follow">;
  /** The conversation on the screen. */
  openKey: Watched<string | undefined>;
  /** Keeps the marks over a reload. */
  storage: Pick<Storage, "getItem" | "setItem">;
} & Pick<App, "say" | "go">;

const kept = "steward.unread";
const mostKept = 100;
const longestWords = 140;

/** The conversations in which a task has said something that nobody has looked at. */
export function followTaskNews(deps: TaskNewsDeps): Watched<ReadonlySet<string>> {
  const { link, openKey, storage } = deps;
  const unread = openWatched<ReadonlySet<string>>(new Set(storage.getItem(kept)?.split(" ").filter(Boolean)));
  link.follow((followed) => {
    if (followed.type === "conversation.deleted") return read(followed.conversation);
    if (followed.type !== "reply.written" || !followed.task || isBackground(followed.conversation)) return;
    const { conversation } = followed;
    if (conversation === openKey.value) return;
    keep(new Set([...unread.value, conversation].slice(-mostKept)));
    const open = () => deps.go(`/chat/${encodeURIComponent(conversation)}`);
    deps.say(lineOf(followed), {
      title: headingOf(followed, followed.task),
      action: { label: "Open", run: open },
    });
  });
  openKey.subscribe(read);
  read(openKey.value);
  return unread;

  function read(sessionKey: string | undefined): void {
    if (sessionKey === undefined || !unread.value.has(sessionKey)) return;
    keep(new Set([...unread.value].filter((one) => one !== sessionKey)));
  }

  function keep(keys: ReadonlySet<string>): void {
    unread.set(keys);
    storage.setItem(kept, [...keys].join(" "));
  }
}

type Reply = EventOf<"reply.written">;

function headingOf({ text }: Reply, { id, title, run, ask }: NonNullable<Reply["task"]>): string {
  return taskHeading({ id, title, says: ask ? "question" : run ? "reminder" : "answer" }, text);
}

// one line without the marks of its form, which nothing shows here
function lineOf({ text, task }: Reply): string {
  const words = task?.ask ? questionIn(text) : text;
  return visibleLine(withoutMarks(words), longestWords);
}
