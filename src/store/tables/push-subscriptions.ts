import type { PushSubscription } from "../../contract/wire/methods/push.ts";
import type { Database, Queryable, Row } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";

// whoever may no longer come in is no longer told anything either
const isLive = `(token_id IS NULL OR EXISTS (
  SELECT 1 FROM access_tokens WHERE access_tokens.id = push_subscriptions.token_id
    AND access_tokens.revoked_at_ms IS NULL
    AND (access_tokens.expires_at_ms IS NULL OR access_tokens.expires_at_ms > ?)))`;

export async function livePushSubscriptions(db: Queryable, nowMs: number): Promise<readonly PushSubscription[]> {
  const rows = await db.query(`SELECT * FROM push_subscriptions WHERE ${isLive} ORDER BY created_at_ms`, [nowMs]);
  return rows.map(readSubscription);
}

/** False when there are too many already; those of ended tokens make room. */
export async function addPushSubscription(
  db: Database,
  subscription: PushSubscription,
  { tokenId, nowMs, max }: { tokenId: string | undefined; nowMs: number; max: number },
): Promise<boolean> {
  const { endpoint, keys } = subscription;
  return db.transaction(true, async (tx) => {
    await tx.query(`DELETE FROM push_subscriptions WHERE endpoint = ? OR NOT ${isLive}`, [endpoint, nowMs]);
    const [row] = await tx.query("SELECT COUNT(*) AS count FROM push_subscriptions");
    if (Number(row?.count) >= max) return false;
    await insertRow(tx, "push_subscriptions", { endpoint, ...keys, tokenId, createdAtMs: nowMs });
    return true;
  });
}

/** True when there was one to remove. With a token's id: only if that token made it. */
export async function removePushSubscription(db: Database, endpoint: string, tokenId?: string): Promise<boolean> {
  return db.transaction(true, async (tx) => {
    const owned = tokenId === undefined ? "" : " AND token_id = ?";
    const values = tokenId === undefined ? [endpoint] : [endpoint, tokenId];
    const rows = await tx.query(`DELETE FROM push_subscriptions WHERE endpoint = ?${owned} RETURNING endpoint`, values);
    return rows.length > 0;
  });
}

function readSubscription(row: Row): PushSubscription {
  return { endpoint: String(row.endpoint), keys: { p256dh: String(row.p256dh), auth: String(row.auth) } };
}
