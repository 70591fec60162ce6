import type { AutocompleteProvider } from "@earendil-works/pi-tui";
import { slashCommands } from "../chat/commands/slash-commands.ts";

/** Offers the commands as soon as a message begins with a slash. */
export const completeSlash: AutocompleteProvider = {
  async getSuggestions(lines, cursorLine, cursorColumn) {
    const typed = (lines[cursorLine] ?? "").slice(0, cursorColumn);
    if (cursorLine !== 0 || !/^\/[a-z]*$/.test(typed)) return null;
    const items = slashCommands
      .filter((command) => command.name.startsWith(typed.slice(1)))
      .map((command) => ({
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
