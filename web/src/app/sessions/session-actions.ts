import type { Session } from "../../../../src/contract/method.ts";
import { CallFailed } from "../../gateway/gateway-link.ts";
import { sessionName } from "../../words.ts";
import type { House } from "../app.ts";

export async function renameSession(house: House, session: Session, name: string): Promise<void> {
  const title = name.trim();
  if (title === "" || title === session.title) return;
  await orSay(
    house,
    house.link.call("sessions.rename", { sessionKey: session.sessionKey, title: title.slice(0, 200) }),
  );
}

/** True when it is gone. */
export async function deleteSession(house: House, session: Session): Promise<boolean> {
  const yes = await house.confirm({
    title: "Delete this conversation?",
    text: `“${sessionName(session)}” and everything said in it is removed for good, also from Steward's files.`,
    yes: "Delete",
    tone: "error",
  });
  if (!yes) return false;
  const gone = await orSay(house, house.link.call("sessions.delete", { sessionKey: session.sessionKey }));
  if (gone) house.say("Conversation deleted");
  return gone;
}

export async function stopAnswer(house: House, sessionKey: string): Promise<void> {
  await orSay(house, house.link.call("chat.abort", { sessionKey }));
}

async function orSay(house: House, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (cause) {
    if (!(cause instanceof CallFailed)) throw cause;
    house.say(cause.message, { tone: "error" });
    return false;
  }
}
