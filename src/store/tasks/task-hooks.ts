// Addresses at which other programs may begin a task: kept by the hash of the secret part of their path.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Database, Queryable } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";

const TaskHook = z.object({
  /** What it begins. */
  task: z.string(),
  /** `whsec_…`: only signed requests are taken. */
  secret: z.string().optional(),
  createdAtMs: z.number(),
});
export type TaskHook = z.infer<typeof TaskHook>;
const readHook = rowReader(TaskHook);

export async function findTaskHook(db: Queryable, tokenHash: string): Promise<TaskHook | undefined> {
  return (await db.query("SELECT * FROM task_hooks WHERE token_hash = ?", [tokenHash])).map(readHook)[0];
}

/** The only one of its task. */
export async function setTaskHook(tx: Queryable, hook: TaskHook, tokenHash: string): Promise<void> {
  await tx.query("DELETE FROM task_hooks WHERE task = ?", [hook.task]);
  await insertRow(tx, "task_hooks", { ...hook, tokenHash });
}

const UnownedHook = z.object({ id: z.string(), name: z.string(), prompt: z.string() });
export type UnownedHook = z.infer<typeof UnownedHook>;
const readUnowned = rowReader(UnownedHook);

/** Those that no task has yet. */
export async function unownedHooks(db: Queryable): Promise<readonly UnownedHook[]> {
  return (await db.query("SELECT id, name, prompt FROM hooks ORDER BY created_at_ms, id")).map(readUnowned);
}

/** Its address and its secret belong to the task from now on. */
export async function moveHook(db: Database, id: string, task: string): Promise<void> {
  await db.transaction(true, async (tx) => {
    await tx.query(
      `INSERT INTO task_hooks (token_hash, task, secret, created_at_ms)
       SELECT token_hash, ?, secret, created_at_ms FROM hooks WHERE id = ?`,
      [task, id],
    );
    await tx.query("DELETE FROM hooks WHERE id = ?", [id]);
  });
}

/** Enough to know it again, not enough to use it. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
