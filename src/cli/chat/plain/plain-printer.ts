// The transcript as plain lines that only ever grow: no colours, no cursor, fit for a pipe and for a screen reader.
import type { ConversationItem } from "../../../contract/conversation/conversation.ts";
import { plainItem } from "./plain-item.ts";

export type PlainPrinter = ReturnType<typeof openPlainPrinter>;
export type PlainPrinterDeps = {
  write(text: string): void;
  warn(text: string): void;
  /** A person looks on: everything is shown, text as it is written. Otherwise the output holds answers and nothing else. */
  watched: boolean;
};

export function openPlainPrinter(deps: PlainPrinterDeps) {
  const printed = new Map<string, { item: ConversationItem; text: string }>();
  let openLine: string | undefined;

  return {
    /** Prints what is new since the last time; tells whether there was anything. */
    show: (items: readonly ConversationItem[]) => items.map(showItem).includes(true),
    /** Takes these as already printed. */
    skip(items: readonly ConversationItem[]): void {
      for (const item of items)
        if (printed.get(item.id)?.item !== item) printed.set(item.id, { item, text: plainItem(item) });
    },
    print(text: string): void {
      endLine();
      deps.write(`${text}\n`);
    },
    /** Writes a question and leaves the line open for the answer. */
    prompt(text: string): void {
      endLine();
      deps.write(text);
      openLine = "prompt";
    },
    /** The person has ended the line by pressing Enter. */
    lineEntered(): void {
      openLine = undefined;
    },
  };

  function showItem(item: ConversationItem): boolean {
    const known = printed.get(item.id);
    if (known?.item === item || !isShown(item)) return false;
    const text = plainItem(item);
    const before = known?.text ?? "";
    printed.set(item.id, { item, text });
    if (text === before) return false;
    if (!deps.watched && item.kind === "notice") {
      deps.warn(text);
      return true;
    }
    // what stands on the screen cannot be taken back; a text that begins anew is printed whole
    const grows = text.startsWith(before);
    if (openLine !== item.id || !grows) endLine();
    deps.write(grows ? text.slice(before.length) : text);
    openLine = text.endsWith("\n") ? undefined : item.id;
    return true;
  }

  function isShown(item: ConversationItem): boolean {
    if (deps.watched) return true;
    return item.kind === "answer" ? !item.streaming : item.kind === "notice" && item.tone !== "quiet";
  }

  function endLine(): void {
    if (openLine !== undefined) deps.write("\n");
    openLine = undefined;
  }
}
