// Who was let in: tokens by their hash, granted and revoked together with the event that says so.
import { z } from "zod";
import { installationKey, type NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import { Scope } from "../../contract/wire/access.ts";
import type { Database } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";
import type { EventLog } from "../log/event-log.ts";

const StoredToken = z.object({
  id: z.string(),
  /** SHA-256 of the secret in hex; the secret itself is nowhere. */
  hash: z.string(),
  name: z.string(),
  scope: Scope,
  conversation: z.string().optional(),
  kind: z.enum(["browser", "token"]),
  createdAtMs: z.number(),
  lastUsedAtMs: z.number().optional(),
  expiresAtMs: z.number().optional(),
  revokedAtMs: z.number().optional(),
});
export type StoredToken = z.infer<typeof StoredToken>;
const readToken = rowReader(StoredToken);

export type AccessTokens = {
  grant(token: StoredToken, by: Sender): Promise<void>;
  findByHash(hash: string): Promise<StoredToken | undefined>;
  find(id: string): Promise<StoredToken | undefined>;
  /** Those that still let somebody in, oldest first. */
  listLive(nowMs: number): Promise<readonly StoredToken[]>;
  /** `expiresAtMs` given: the end moves there. A revoked token does not change. */
  markUsed(id: string, atMs: number, expiresAtMs?: number): Promise<void>;
  /** False when there was nothing to revoke. What is revoked stays so. */
  revoke(id: string, atMs: number, by: Sender): Promise<boolean>;
  /** Who came in and who did not. */
  note(events: readonly NewEvent[]): Promise<unknown>;
};

export function openAccessTokens(deps: { database: Database; log: EventLog }): AccessTokens {
  const { database, log } = deps;
  return {
    async grant(token, by) {
      const { id: tokenId, name, scope } = token;
      // the row is written last, so that a refusal leaves nothing behind in the shared transaction
      await log.appendDecided(async (tx) => {
        await insertRow(tx, "access_tokens", token);
        return [{ type: "access.granted", conversation: installationKey, tokenId, name, scope, by }];
      });
    },
    findByHash: (hash) => findBy("hash", hash),
    find: (id) => findBy("id", id),
    async listLive(nowMs) {
      const rows = await database.query(
        "SELECT * FROM access_tokens WHERE revoked_at_ms IS NULL AND (expires_at_ms IS NULL OR expires_at_ms > ?) ORDER BY created_at_ms, id",
        [nowMs],
      );
      return rows.map(readToken);
    },
    async markUsed(id, atMs, expiresAtMs) {
      await database.transaction(false, (tx) =>
        tx.query(
          "UPDATE access_tokens SET last_used_at_ms = ?, expires_at_ms = COALESCE(?, expires_at_ms) WHERE id = ? AND revoked_at_ms IS NULL",
          [atMs, expiresAtMs ?? null, id],
        ),
      );
    },
    async revoke(id, atMs, by) {
      const { events } = await log.appendDecided(async (tx) => {
        const found = await tx.query("SELECT id FROM access_tokens WHERE id = ? AND revoked_at_ms IS NULL", [id]);
        if (found.length === 0) return [];
        await tx.query("UPDATE access_tokens SET revoked_at_ms = ? WHERE id = ?", [atMs, id]);
        return [{ type: "access.revoked", conversation: installationKey, tokenId: id, by }];
      });
      return events.length > 0;
    },
    note: (events) => log.append(events, { durable: false }),
  };

  async function findBy(column: "hash" | "id", value: string): Promise<StoredToken | undefined> {
    return (await database.query(`SELECT * FROM access_tokens WHERE ${column} = ?`, [value])).map(readToken)[0];
  }
}
