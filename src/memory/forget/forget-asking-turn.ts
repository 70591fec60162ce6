// The turn that has asked to forget quotes what went: in its question, its calls and what it was asked with. When it is over that goes too.
import { z } from "zod";
import type { Event } from "../../contract/event.ts";
import { Sender } from "../../contract/sender.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import { readEvent } from "../../store/log/event-row.ts";
import { putCursor } from "../../store/tables/cursors.ts";
import { readAsked } from "./asked-words.ts";
import { withTheirCalls } from "./forget-messages.ts";
import { takenWords } from "./taken-words.ts";

export type AskingTurnDeps = { database: Database; log: Pick<EventLog, "appendDecided"> };

const Asking = z.object({ conversation: z.string(), turn: z.string(), about: z.string(), by: Sender });
type Asking = z.infer<typeof Asking>;

const beginning = "turn to forget ";

/** From then on it goes, whatever becomes of this process. */
export async function noteAskingTurn(tx: Queryable, asking: Asking): Promise<void> {
  await putCursor(tx, `${beginning}${asking.turn}`, { seq: 0, detail: JSON.stringify(asking) });
}

/** What an earlier process did not come to. */
export async function forgetAskingTurns(deps: AskingTurnDeps): Promise<void> {
  const rows = await deps.database.query("SELECT name FROM cursors WHERE name LIKE ?", [`${beginning}%`]);
  for (const { name } of rows) await forgetAskingTurn(deps, String(name).slice(beginning.length));
}

/** Nothing happens to a turn that has asked for nothing, or is still under way. */
export async function forgetAskingTurn({ database, log }: AskingTurnDeps, turn: string): Promise<void> {
  const name = `${beginning}${turn}`;
  const noted = await database.query("SELECT detail FROM cursors WHERE name = ?", [name]);
  if (noted.length === 0) return;
  await log.appendDecided(async (tx) => {
    const [row] = await tx.query("SELECT detail FROM cursors WHERE name = ?", [name]);
    const open = await tx.query("SELECT turn FROM open_turns WHERE turn = ?", [turn]);
    if (!row || open.length > 0) return [];
    const { conversation, about, by } = Asking.parse(JSON.parse(String(row.detail)));
    await tx.query("DELETE FROM cursors WHERE name = ?", [name]);
    const seqs = await quoting(tx, { conversation, turn, about });
    return seqs.length === 0 ? [] : [{ type: "messages.forgotten", conversation, seqs: [...seqs], by }];
  });
}

/** The answer stays: it may be on its way to a channel. */
async function quoting(tx: Queryable, { conversation, turn, about }: Omit<Asking, "by">): Promise<readonly number[]> {
  const speaksOf = readAsked(about);
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND turn = ? AND type NOT IN ('turn.finished', 'reply.written')",
    [conversation, turn],
  );
  const work = rows.map(readEvent);
  const events = [...work, ...(await messagesOf(tx, conversation, work))];
  const speaking = events.filter((event) => speaksOf.times(takenWords(event)) > 0).map(({ seq }) => seq);
  return [...new Set(withTheirCalls(speaking, work))].sort((one, other) => one - other);
}

async function messagesOf(tx: Queryable, conversation: string, turn: readonly Event[]): Promise<readonly Event[]> {
  const taken = turn.flatMap((event) =>
    event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [],
  );
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND seq IN (SELECT value FROM json_each(?))",
    [conversation, JSON.stringify(taken)],
  );
  return rows.map(readEvent);
}
