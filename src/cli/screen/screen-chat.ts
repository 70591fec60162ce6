// The chat on a terminal's screen: transcript above, one line of activity, the editor, and a status line.
import type { AutocompleteProvider, Terminal } from "@earendil-works/pi-tui";
import { Container, Editor, ProcessTerminal, setCapabilityOverrides, TuiMainScreen } from "@earendil-works/pi-tui";
import type { CommandConsole } from "../../contract/room/command.ts";
import type { World } from "../../contract/world.ts";
import { isWorking } from "../chat/chat-state.ts";
import { answerInWords } from "../chat/commands/answer-approval.ts";
import type { CommandOutcome } from "../chat/commands/command-outcome.ts";
import { commandsFor } from "../chat/commands/slash-commands.ts";
import { submitLine } from "../chat/commands/submit-line.ts";
import type { Chat } from "../chat/open-chat.ts";
import { failWhenGone } from "../chat/until-settled.ts";
import { type Welcome, welcomeLines } from "../chat/welcome.ts";
import { failureWords } from "../failure-words.ts";
import { paletteFor } from "../palette.ts";
import { openQuestion } from "./open-question.ts";
import { line, openPicker } from "./picker.ts";
import { openKeys, screenKeys } from "./screen-keys.ts";
import { listTheme } from "./screen-theme.ts";
import { activityLine, type Moment, statusLine } from "./status-line.ts";
import { openTranscript } from "./transcript.ts";

export type ScreenChatDeps = {
  chat: Chat;
  console: CommandConsole;
  home: string;
  welcome: Welcome;
  world: World;
  /** The real one unless a test has its own. */
  terminal?: Terminal;
};

const frameMs = 120;

/** Offers the commands as soon as a message begins with a slash. */
const completeSlash: AutocompleteProvider = {
  async getSuggestions(lines, cursorLine, cursorColumn) {
    const typed = (lines[cursorLine] ?? "").slice(0, cursorColumn);
    if (cursorLine !== 0) return null;
    const items = commandsFor(typed).map((command) => ({
      value: `/${command.name}`,
      label: `/${command.name} ${command.hint}`.trim(),
      description: command.summary,
    }));
    return items.length === 0 ? null : { items, prefix: typed };
  },
  applyCompletion(lines, cursorLine, cursorColumn, item, prefix) {
    const line = lines[cursorLine] ?? "";
    const rest = line.slice(cursorColumn).trimStart();
    const completed = `${line.slice(0, cursorColumn - prefix.length)}${item.value} `;
    return { lines: lines.with(cursorLine, completed + rest), cursorLine, cursorCol: completed.length };
  },
  shouldTriggerFileCompletion: () => false,
};

export async function runScreenChat(deps: ScreenChatDeps): Promise<number> {
  const { chat, world } = deps;
  // where a link leads is always written out, so that a text cannot hide it
  setCapabilityOverrides({ hyperlinks: false, images: null });
  const paint = paletteFor(deps.console.colors);
  const terminal = deps.terminal ?? new ProcessTerminal();
  const screen = new TuiMainScreen(terminal, true);
  const [title, ...hints] = welcomeLines(deps.welcome);
  const transcript = openTranscript(paint, [paint.strong(title), ...hints.map((hint) => paint.faint(hint))]);
  const theme = { borderColor: paint.faint, selectList: listTheme(paint) };
  const editor = new Editor(screen, theme, { paddingX: 1, autocompleteMaxVisible: 8 });
  const inputArea = new Container();
  const question = openQuestion(world);
  const left = Promise.withResolvers<number>();
  const keys = openKeys({
    chat,
    editor,
    world,
    leave: () => left.resolve(0),
    obey,
    redraw,
    transcript,
    isPicking: () => picker.isOpen(),
  });
  const picker = openPicker({ screen, inputArea, editor, paint });
  let frame = 0;

  editor.setAutocompleteProvider(completeSlash);
  editor.onSubmit = submit;
  inputArea.addChild(editor);
  screen.addChild(transcript);
  screen.addChild(line(() => ""));
  screen.addChild(line((width) => activityLine(chat.state(), now(), width, paint)));
  screen.addChild(inputArea);
  screen.addChild(line((width) => statusLine(chat.state(), deps.welcome.model, width, paint)));
  screen.setFocus(editor);
  screen.addInputListener(keys.press);
  question.notice(chat.state());
  transcript.show(chat.state());

  const stopWatching = chat.watch(redraw);
  const stopListening = deps.console.onInterrupt(() => left.resolve(0));
  const ticking = setInterval(tick, frameMs);
  screen.start();
  try {
    return await Promise.race([left.promise, failWhenGone(chat)]);
  } finally {
    clearInterval(ticking);
    stopWatching();
    stopListening();
    // what was said stays in the terminal, the editor goes
    for (const child of [...screen.children]) if (child !== transcript) screen.removeChild(child);
    screen.renderNow();
    await terminal.drainInput(200, 20);
    screen.stop();
  }

  function redraw(): void {
    question.notice(chat.state());
    transcript.show(chat.state());
    screen.requestRender();
  }

  function tick(): void {
    if (!isWorking(chat.state()) && chat.state().outgoing.length === 0 && !keys.isLeaving()) return;
    frame++;
    screen.requestRender();
  }

  function now(): Moment {
    return { atMs: world.nowMs(), frame, leaving: keys.isLeaving(), typing: editor.getText() !== "" };
  }

  function submit(text: string): void {
    const typed = text.trim();
    if (typed === "") return;
    const asked = typed.startsWith("/") ? undefined : question.answered();
    if (asked === "unread") {
      editor.setText(text);
      return;
    }
    editor.addToHistory(typed);
    obey(() => (asked === undefined ? submitLine(chat, typed, screenKeys) : answerInWords(chat, asked, typed)));
  }

  /** Does it and shows what came of it; a failure is a line on the screen, never the end of the chat. */
  function obey(act: () => Promise<CommandOutcome>): void {
    act().then(
      (outcome) => {
        if (outcome.kind === "quit") left.resolve(0);
        if (outcome.kind === "text") chat.notice(outcome.tone, outcome.text);
        if (outcome.kind === "choose")
          picker.open(outcome, (value) => obey(() => submitLine(chat, `/${outcome.command} ${value}`)));
      },
      (error: unknown) => chat.notice("error", failureWords(error, deps.home)),
    );
  }
}
