import {
  type Component,
  type Container,
  type Editor,
  SelectList,
  type TUI,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { CommandOutcome } from "../chat/commands/command-outcome.ts";
import type { Palette } from "../palette.ts";
import { listTheme } from "./screen-theme.ts";

type Choose = Extract<CommandOutcome, { kind: "choose" }>;

/** A list that stands where the editor was until something is picked or Esc is pressed. */
export function openPicker(deps: { screen: TUI; inputArea: Container; editor: Editor; paint: Palette }) {
  const { screen, inputArea, editor, paint } = deps;
  let picking = false;
  return {
    isOpen: () => picking,
    open({ title, choices }: Choose, pick: (value: string) => void): void {
      const items = choices.map(({ value, label, description, current }) => ({
        value,
        label: current ? `${label} ✓` : label,
        description,
      }));
      const list = new SelectList(items, 10, listTheme(paint), {
        minPrimaryColumnWidth: 16,
        maxPrimaryColumnWidth: 48,
      });
      const current = choices.findIndex((choice) => choice.current);
      list.setSelectedIndex(Math.max(0, current));
      list.onSelect = ({ value }) => {
        close();
        pick(value);
      };
      list.onCancel = close;
      picking = true;
      inputArea.clear();
      inputArea.addChild(line((width) => paint.faint("─".repeat(width))));
      inputArea.addChild(
        line((width) => truncateToWidth(` ${title}  ${paint.faint("Enter picks, Esc goes back")}`, width, "…")),
      );
      inputArea.addChild(list);
      inputArea.addChild(line((width) => paint.faint("─".repeat(width))));
      screen.setFocus(list);
      screen.requestRender();
    },
  };

  function close(): void {
    picking = false;
    inputArea.clear();
    inputArea.addChild(editor);
    screen.setFocus(editor);
    screen.requestRender();
  }
}

export function line(text: (width: number) => string): Component {
  return { render: (width) => [text(width)], invalidate: () => undefined };
}
