import type { Command, CommandContext } from "../../contract/room/command.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { Chat } from "../chat/open-chat.ts";
import type { Welcome } from "../chat/welcome.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { chatDeps, readSessionKey, sessionOption } from "./session-option.ts";

export type ChatOptions = {
  plain?: boolean;
  session?: string | undefined;
  /** Nobody asked for a chat by name: without a word on the input there is none, and Steward just runs. */
  mayRunHeadless?: boolean;
};

export function chatCommand(deps: CommandLineDeps): Command {
  return {
    name: "chat",
    summary: "Talk with the assistant",
    description: "Talk with the assistant. When the input is not a terminal, each line is a message.",
    options: [
      { form: "--plain", description: "lines only, no control of the screen; for screen readers and logs" },
      sessionOption,
    ],
    run: ({ flags, values }) => runChat(deps, { plain: flags.has("plain"), session: values.session }),
  };
}

export async function runChat(deps: CommandLineDeps, options: ChatOptions): Promise<number> {
  const { console, home } = deps;
  const withPerson = console.input.isTTY === true && console.output.isTTY === true;
  const reconnects = withPerson ? Number.POSITIVE_INFINITY : undefined;
  // each way to chat is loaded when it is taken
  const { openChat } = await import("../chat/open-chat.ts");
  const chat = await openChat(chatDeps(deps, reconnects, { staying: true }), await readSessionKey(options.session));
  try {
    if (!withPerson) {
      const { runPipedChat } = await import("../chat/plain/piped-chat.ts");
      const { code, lines } = await runPipedChat({ chat, console, home });
      if (lines > 0 || code !== 0 || !options.mayRunHeadless) return code;
      await chat.close();
      return await deps.runDaemon();
    }
    const welcome = await prepareWelcome(deps, chat);
    if (options.plain) {
      const { runPlainChat } = await import("../chat/plain/plain-chat.ts");
      return await runPlainChat({ chat, console, home, welcome });
    }
    const { runScreenChat } = await import("../screen/screen-chat.ts");
    return await runScreenChat({ chat, console, home, welcome, world: deps.world });
  } finally {
    await chat.close();
  }
}

async function prepareWelcome(deps: CommandContext, chat: Chat): Promise<Welcome> {
  const read = await deps.readSettings();
  const { settingWarnings } = await import("../setting-warnings.ts");
  const { modelOf } = await import("../chat/chat-state.ts");
  const { model } = await chat.call("health.check", {});
  const pageLink = await findPageLink(chat);
  for (const warning of await settingWarnings(chat.call, read)) chat.notice("warning", warning);
  return {
    name: read.settings.agent.name,
    version: deps.version,
    model: modelOf(chat.state()) ?? model,
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
