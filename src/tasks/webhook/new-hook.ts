import { randomBytes } from "node:crypto";
import type { Queryable } from "../../store/database/database.ts";
import { hashToken, setTaskHook } from "../../store/tasks/task-hooks.ts";

const secretBytes = 32;

/** The address at which a task is begun. It and the secret are told this once; the address before it, if there was one, is gone. */
export function newHook(isSigned: boolean) {
  const token = randomBytes(secretBytes).toString("base64url");
  const secret = isSigned ? `whsec_${randomBytes(secretBytes).toString("base64")}` : undefined;
  return {
    told: { path: `/api/hooks/${token}`, ...(secret && { secret }) },
    write: (tx: Queryable, task: string, createdAtMs: number) =>
      setTaskHook(tx, { task, secret, createdAtMs }, hashToken(token)),
  };
}
