import type { AttachmentStore } from "../../contract/attachment.ts";
import type { Route } from "../../contract/room/route.ts";
import type { Database } from "../../store/database/database.ts";
import type { Gateway } from "../gateway.ts";
import type { ReceiveDeps } from "../receive.ts";

export type RestDeps = ReceiveDeps & {
  gateway: Gateway;
  database: Database;
  attachments: AttachmentStore;
  about: { version: string; startedAtMs: number };
  /** Where clients reach this server, for the OpenAPI document. */
  url: () => string;
  cookieName: () => string;
  /** Every route of the server, also those of other rooms: what the OpenAPI document describes. */
  allRoutes: () => readonly Route[];
  /** Called when a token is revoked or has run out: whoever holds a stream for it ends it. */
  onAccessEnd(tokenId: string, listener: () => void): () => void;
  onTrouble(message: string, cause: unknown): void;
  heartbeatMs?: number;
};
