// The questions that nobody has answered yet.
import type { OpenApproval } from "../../contract/wire/method.ts";
import type { Queryable, Row } from "../database/database.ts";
import { readEvent } from "../log/event-row.ts";

export type OpenApprovalRow = {
  approvalId: string;
  conversation: string;
  turn: string;
  callId: string;
  askedSeq: number;
  expiresAtMs: number;
};

export async function findOpenApproval(db: Queryable, approvalId: string): Promise<OpenApprovalRow | undefined> {
  const rows = await db.query("SELECT * FROM open_approvals WHERE approval_id = ?", [approvalId]);
  return rows[0] && readApprovalRow(rows[0]);
}

export async function openApprovalsOfTurn(db: Queryable, turn: string): Promise<readonly OpenApprovalRow[]> {
  return (await db.query("SELECT * FROM open_approvals WHERE turn = ? ORDER BY asked_seq", [turn])).map(
    readApprovalRow,
  );
}

export async function expiredApprovals(db: Queryable, nowMs: number): Promise<readonly OpenApprovalRow[]> {
  return (await db.query("SELECT * FROM open_approvals WHERE expires_at_ms <= ? ORDER BY asked_seq", [nowMs])).map(
    readApprovalRow,
  );
}

export async function nextApprovalExpiryMs(db: Queryable): Promise<number | undefined> {
  const value = (await db.query("SELECT MIN(expires_at_ms) AS at FROM open_approvals"))[0]?.at;
  return value === null || value === undefined ? undefined : Number(value);
}

export async function listOpenApprovals(db: Queryable): Promise<readonly OpenApproval[]> {
  const rows = await db.query(
    "SELECT events.* FROM open_approvals JOIN events ON events.seq = open_approvals.asked_seq ORDER BY events.seq",
  );
  return rows.flatMap((row) => {
    const event = readEvent(row);
    if (event.type !== "approval.asked") return [];
    const { approvalId, conversation, turn, tool, display, reason, labels, atMs, expiresAtMs } = event;
    return [
      { approvalId, sessionKey: conversation, turn, tool, display, reason, labels, askedAtMs: atMs, expiresAtMs },
    ];
  });
}

function readApprovalRow(row: Row): OpenApprovalRow {
  return {
    approvalId: String(row.approval_id),
    conversation: String(row.conversation),
    turn: String(row.turn),
    callId: String(row.call_id),
    askedSeq: Number(row.asked_seq),
    expiresAtMs: Number(row.expires_at_ms),
  };
}
