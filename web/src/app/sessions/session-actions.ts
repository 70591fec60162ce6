import type { Session } from "../../../../src/contract/wire/method.ts";
import { CallFailed } from "../../gateway/gateway-link.ts";
import { sessionName } from "../../words.ts";
import type { App } from "../app.ts";

export async function renameSession(app: App, session: Session, name: string): Promise<void> {
  const title = name.trim();
  if (title === "" || title === session.title) return;
  await orSay(app, app.link.call("sessions.rename", { sessionKey: session.sessionKey, title: title.slice(0, 200) }));
}

/** True when it is gone. */
export async function deleteSession(app: App, session: Session): Promise<boolean> {
  const yes = await app.confirm({
    title: "Delete this conversation?",
    text: `“${sessionName(session)}” and everything said in it is removed for good, also from Steward's files.`,
    yes: "Delete",
    tone: "error",
  });
  if (!yes) return false;
  const gone = await orSay(app, app.link.call("sessions.delete", { sessionKey: session.sessionKey }));
  if (gone) app.say("Conversation deleted");
  return gone;
}

export async function stopAnswer(app: App, sessionKey: string): Promise<void> {
  await orSay(app, app.link.call("chat.abort", { sessionKey }));
}

async function orSay(app: App, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (cause) {
    if (!(cause instanceof CallFailed)) throw cause;
    app.say(cause.message, { tone: "error" });
    return false;
  }
}
