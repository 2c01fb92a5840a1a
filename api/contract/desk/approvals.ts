/** Acts that wait for a second member of staff. */
import * as v from 'valibot';

const instant = v.pipe(v.string(), v.isoTimestamp());

export const ApprovalRow = v.object({
  id: v.string(),
  act: v.picklist(['order.refund', 'account.erase']),
  /** Id of the order or of the account. */
  subject: v.string(),
  reason: v.string(),
  proposedBy: v.string(),
  /** Proposed by the caller, who cannot confirm it. */
  isOwn: v.boolean(),
  proposedAt: instant,
  expiresAt: instant,
});
export type ApprovalRow = v.InferOutput<typeof ApprovalRow>;

/** Oldest first. */
export const ApprovalListResponse = v.object({ rows: v.array(ApprovalRow) });
export type ApprovalListResponse = v.InferOutput<typeof ApprovalListResponse>;

/** Id of the object of the act that was decided. */
export const DecisionResponse = v.object({ subject: v.string() });
export type DecisionResponse = v.InferOutput<typeof DecisionResponse>;
