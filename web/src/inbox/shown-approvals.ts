import type { OpenApproval } from "../../../src/contract/wire/method.ts";

/** A card on the page; one that was answered stays in its place for the moment in which it fades. */
export type ShownApproval = { approval: OpenApproval; isLeaving: boolean };

export function mergeShown(
  shown: readonly ShownApproval[],
  approvals: readonly OpenApproval[],
): readonly ShownApproval[] {
  const open = new Map(approvals.map((approval) => [approval.approvalId, approval]));
  const kept = shown.map(({ approval }) => {
    const still = open.get(approval.approvalId);
    open.delete(approval.approvalId);
    return { approval: still ?? approval, isLeaving: still === undefined };
  });
  return [...kept, ...[...open.values()].map((approval) => ({ approval, isLeaving: false }))];
}

/** The card next to one, in either direction; none yet means the first. */
export function neighbour(ids: readonly string[], id: string | undefined, step: 1 | -1): string | undefined {
  const place = id === undefined ? -1 : ids.indexOf(id);
  if (place < 0) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, place + step))];
}
