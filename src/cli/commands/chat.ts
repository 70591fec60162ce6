import type { Chat } from "../chat/open-chat.ts";
import { openChat } from "../chat/open-chat.ts";
import { runPipedChat } from "../chat/piped-chat.ts";
import { runPlainChat } from "../chat/plain-chat.ts";
import type { Welcome } from "../chat/welcome.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { connectionDeps } from "./connection-deps.ts";
import { sessionKeyFor } from "./session-key.ts";

export async function runChat(deps: CommandLineDeps, options: { plain?: boolean; session?: string }): Promise<number> {
  const { console, home } = deps;
  const withPerson = console.input.isTTY === true && console.output.isTTY === true;
  const reconnects = withPerson ? Number.POSITIVE_INFINITY : undefined;
  const chat = await openChat(connectionDeps(deps, reconnects), sessionKeyFor(options.session));
  try {
    if (!withPerson) return await runPipedChat({ chat, console, home });
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
  for (const warning of warnings) chat.notice("warning", warning);
  return {
    name: settings.agent.name,
    version: deps.version,
    model: chat.state().model ?? model,
    folder: deps.home,
  };
}
