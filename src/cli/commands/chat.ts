import { CallRefused } from "../../contract/client.ts";
import type { Chat } from "../chat/open-chat.ts";
import { openChat } from "../chat/open-chat.ts";
import { runPipedChat } from "../chat/piped-chat.ts";
import { runPlainChat } from "../chat/plain-chat.ts";
import type { Welcome } from "../chat/welcome.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { connectionDeps } from "./connection-deps.ts";
import { sessionKeyFor } from "./session-key.ts";

export type ChatOptions = {
  plain?: boolean;
  session?: string;
  /** Nobody asked for a chat by name: without a word on the input there is none, and Steward just runs. */
  mayRunHeadless?: boolean;
};

export async function runChat(deps: CommandLineDeps, options: ChatOptions): Promise<number> {
  const { console, home } = deps;
  const withPerson = console.input.isTTY === true && console.output.isTTY === true;
  const reconnects = withPerson ? Number.POSITIVE_INFINITY : undefined;
  const chat = await openChat(connectionDeps(deps, reconnects, { staying: true }), sessionKeyFor(options.session));
  try {
    if (!withPerson) {
      const { code, lines } = await runPipedChat({ chat, console, home });
      if (lines > 0 || code !== 0 || !options.mayRunHeadless) return code;
      await chat.close();
      return await deps.runDaemon();
    }
    const welcome = await prepareWelcome(deps, chat);
    if (options.plain) return await runPlainChat({ chat, console, home, welcome });
    // the screen library is only loaded when there is a screen to draw on
    const { runScreenChat } = await import("../screen/screen-chat.ts");
    return await runScreenChat({ chat, console, home, welcome, world: deps.world });
  } finally {
    await chat.close();
  }
}

async function prepareWelcome(deps: CommandLineDeps, chat: Chat): Promise<Welcome> {
  const { settings, warnings } = await deps.readSettings();
  const { model } = await chat.call("health.check", {});
  const pageLink = await findPageLink(chat);
  for (const warning of warnings) chat.notice("warning", warning);
  return {
    name: settings.agent.name,
    version: deps.version,
    model: chat.state().model ?? model,
    folder: deps.home,
    pageLink,
  };
}

async function findPageLink(chat: Chat): Promise<string | undefined> {
  try {
    return (await chat.call("access.createCode", {})).url;
  } catch (cause) {
    if (!(cause instanceof CallRefused)) throw cause;
    // the page is switched off, or its port is taken
    const { page } = await chat.call("health.check", {});
    chat.notice("quiet", page);
    return undefined;
  }
}
