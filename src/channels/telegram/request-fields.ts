// What the requests that put a message into a chat have in common.
import type { Address } from "../../contract/channel/address.ts";
import type { Button, RenderedPiece } from "../../contract/channel/outgoing-message.ts";
import { isRefusedAs } from "./read-fault.ts";

const notReadable = /can't parse|message text is empty|text must be non-empty|too long/i;

export type Marked = { text: string; parse_mode?: "HTML" };

/** With marks, and without them if Telegram cannot read those: the words must arrive. */
export async function markedOrPlain<Done>(
  { markup, plain }: RenderedPiece,
  act: (marked: Marked) => Promise<Done>,
): Promise<Done> {
  try {
    return await act({ text: markup, parse_mode: "HTML" });
  } catch (cause) {
    if (!isRefusedAs(cause, notReadable)) throw cause;
    return act({ text: plain });
  }
}

export type Place = { chat_id: string; message_thread_id?: number };

export function placeOf({ chat, thread }: Address): Place {
  return { chat_id: chat, ...(thread === undefined ? {} : { message_thread_id: Number(thread) }) };
}

const styles = { yes: { style: "success" }, no: { style: "danger" }, plain: {} } as const;

export function keyboardOf(rows: readonly (readonly Button[])[] = []) {
  if (rows.length === 0) return {};
  const inline_keyboard = rows.map((row) =>
    row.map(({ label, press, tone }) => ({ text: label, callback_data: press, ...styles[tone] })),
  );
  return { reply_markup: { inline_keyboard } };
}
export type Keyboard = ReturnType<typeof keyboardOf>;
