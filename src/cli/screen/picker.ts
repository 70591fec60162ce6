import type { Component, Container, Editor, TUI } from "@earendil-works/pi-tui";
import { SelectList, truncateToWidth } from "@earendil-works/pi-tui";
import type { CommandOutcome } from "../chat/commands/command-outcome.ts";
import type { Palette } from "../palette.ts";
import { listTheme } from "./screen-theme.ts";

export type Picker = {
  open(choose: Extract<CommandOutcome, { kind: "choose" }>, pick: (value: string) => void): void;
  isOpen(): boolean;
};

/** A list that stands where the editor was until something is picked or Esc is pressed. */
export function openPicker(deps: { screen: TUI; inputArea: Container; editor: Editor; paint: Palette }): Picker {
  const { screen, inputArea, editor, paint } = deps;
  let picking = false;
  return {
    isOpen: () => picking,
    open({ title, choices }, pick) {
      const items = choices.map(({ value, label, description, current }) => ({
        value,
        label: current ? `${label} ✓` : label,
        description,
      }));
      const list = new SelectList(items, 10, listTheme(paint), {
        minPrimaryColumnWidth: 16,
        maxPrimaryColumnWidth: 48,
      });
      list.setSelectedIndex(
        Math.max(
          0,
          choices.findIndex((choice) => choice.current),
        ),
      );
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

  function line(text: (width: number) => string): Component {
    return { render: (width) => [text(width)], invalidate: () => undefined };
  }
}
