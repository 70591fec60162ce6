import type { AttachmentStore } from "../../contract/attachment.ts";
import type { Database } from "../../store/database/database.ts";
import type { Access } from "../access/access.ts";
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
  access: Access;
  onTrouble(message: string, cause: unknown): void;
  heartbeatMs: number;
};
