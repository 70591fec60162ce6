// The questions that nobody has answered yet.
import { z } from "zod";
import { openApproval } from "../../contract/conversation/open-approval.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import type { Queryable } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import { openQuestions } from "./task-queries.ts";

const OpenApprovalRow = z.object({
  approvalId: z.string(),
  conversation: z.string(),
  turn: z.string(),
  callId: z.string(),
  askedSeq: z.number(),
  expiresAtMs: z.number(),
});
export type OpenApprovalRow = z.infer<typeof OpenApprovalRow>;
const readApprovalRow = rowReader(OpenApprovalRow);

export async function findOpenApproval(db: Queryable, approvalId: string): Promise<OpenApprovalRow | undefined> {
  return (await db.query("SELECT * FROM open_approvals WHERE approval_id = ?", [approvalId])).map(readApprovalRow)[0];
}

export async function openApprovalsOfTurn(db: Queryable, turn: string): Promise<readonly OpenApprovalRow[]> {
  const rows = await db.query("SELECT * FROM open_approvals WHERE turn = ? ORDER BY asked_seq", [turn]);
  return rows.map(readApprovalRow);
}

export async function expiredApprovals(db: Queryable, nowMs: number): Promise<readonly OpenApprovalRow[]> {
  const rows = await db.query("SELECT * FROM open_approvals WHERE expires_at_ms <= ? ORDER BY asked_seq", [nowMs]);
  return rows.map(readApprovalRow);
}

export async function nextApprovalExpiryMs(db: Queryable): Promise<number | undefined> {
  const value = (await db.query("SELECT MIN(expires_at_ms) AS at FROM open_approvals"))[0]?.at ?? undefined;
  return value === undefined ? undefined : Number(value);
}

export async function listOpenApprovals(db: Queryable): Promise<readonly OpenApproval[]> {
  return (await openQuestions(db)).map(openApproval);
}
