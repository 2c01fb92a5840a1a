import type { EntityManager } from 'typeorm';
import type { AuditDetail } from './audit.entity.ts';
import { recordAuditEvent } from './record-audit-event.ts';

/** An act of an operator: who, and why. */
export interface OperatorAct {
  /** The account of the member of staff; null for a command on the server. */
  actorId: string | null;
  /** 3 to 300 characters (`Reason` of the contract). */
  reason: string;
  /** Id of the call; absent for a command. */
  requestId?: string | null;
}

/** What the act changed. Values of people are masked or left out. */
export interface ActChange {
  /** Object and action, such as `tender.hidden`. */
  action: string;
  /** Id of the object. */
  subject: string;
  detail?: AuditDetail;
}

/** Writes the audit event of an act in the transaction of `manager`, with its reason. */
export function recordAct(
  manager: EntityManager,
  act: OperatorAct,
  { action, subject, detail }: ActChange,
  at: Date,
): Promise<void> {
  const { actorId, reason, requestId = null } = act;
  return recordAuditEvent(manager, { action, subject, actorId, requestId, detail: { ...detail, reason } }, at);
}
