// The keys that do not belong to the editor: stop, leave, and a look at what the model thought.
import { type Editor, isKeyRelease, matchesKey, type TuiInputListenerResult } from "@earendil-works/pi-tui";
import type { World } from "../../contract/world.ts";
import { isWorking } from "../chat/chat-state.ts";
import type { CommandOutcome } from "../chat/commands/command-outcome.ts";
import { commandsFor, type Keys, stopTurn } from "../chat/commands/slash-commands.ts";
import type { Chat } from "../chat/open-chat.ts";
import type { Transcript } from "./transcript.ts";

export type KeysDeps = {
  chat: Chat;
  editor: Editor;
  world: World;
  transcript: Transcript;
  leave(): void;
  obey(act: () => Promise<CommandOutcome>): void;
  redraw(): void;
  isPicking(): boolean;
};

export const screenKeys: Keys = [
  ["Enter", "send"],
  ["Shift+Enter", "new line (also Ctrl+J, or \\ before Enter)"],
  ["Up, Down", "earlier messages"],
  ["Esc", "stop what it is doing"],
  ["Ctrl+T", "show or fold what the model thought"],
  ["Ctrl+C", "stop; again: leave"],
  ["Ctrl+D", "leave"],
];

const leaveWithinMs = 2000;
const consumed = { consume: true };
const enter = "\r";

export function openKeys(deps: KeysDeps) {
  const { chat, editor, world } = deps;
  let interruptedAtMs = Number.NEGATIVE_INFINITY;
  let isFirstInput = true;
  let dismissed: string | undefined;

  return { press, isLeaving: () => world.nowMs() - interruptedAtMs < leaveWithinMs };

  function press(key: string): TuiInputListenerResult {
    // what was typed before the terminal told keys apart comes in one piece, and Enter in it as a line feed
    const typed = key === "\n" && isFirstInput ? enter : key;
    setImmediate(() => {
      isFirstInput = false;
    });
    return obeyKey(typed) ?? (typed === key ? undefined : { data: typed });
  }

  function obeyKey(key: string): TuiInputListenerResult {
    if (isKeyRelease(key) || deps.isPicking()) return undefined;
    if (matchesKey(key, "ctrl+c")) return interrupt();
    if (matchesKey(key, "ctrl+d") && editor.getText() === "") return leave();
    if (matchesKey(key, "ctrl+t")) return toggleReasoning();
    if (matchesKey(key, "tab") || matchesKey(key, "enter")) return complete(key);
    if (!matchesKey(key, "escape")) return undefined;
    if (!editor.isShowingAutocomplete()) return stop();
    dismissed = editor.getText();
    return undefined;
  }

  /** Keys that come faster than the list of commands find it open all the same, unless it was closed by hand. */
  function complete(key: string): TuiInputListenerResult {
    const text = editor.getText();
    if (editor.isShowingAutocomplete() || text === dismissed || editor.getCursor().col < text.length) return undefined;
    const [command] = commandsFor(text);
    if (command === undefined) return undefined;
    editor.setText(`/${command.name} `);
    return matchesKey(key, "tab") ? consumed : undefined;
  }

  function interrupt(): TuiInputListenerResult {
    const now = world.nowMs();
    const again = now - interruptedAtMs < leaveWithinMs;
    const working = isWorking(chat.state());
    if (again || (!working && editor.getText() === "")) return leave();
    if (working) {
      interruptedAtMs = now;
      stop();
    } else editor.setText("");
    deps.redraw();
    return consumed;
  }

  function stop(): TuiInputListenerResult {
    if (!isWorking(chat.state()) || chat.state().turn?.stopping) return undefined;
    deps.obey(() => stopTurn(chat));
    return consumed;
  }

  function leave(): TuiInputListenerResult {
    deps.leave();
    return consumed;
  }

  function toggleReasoning(): TuiInputListenerResult {
    deps.transcript.toggleReasoning();
    deps.redraw();
    return consumed;
  }
}
