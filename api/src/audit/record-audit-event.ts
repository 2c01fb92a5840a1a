import type { EntityManager } from 'typeorm';
import { type AuditDetail, AuditEntity } from './audit.entity.ts';

/** An audit event to record; `subject` is the id of the object that changed. */
export interface AuditEvent {
  action: string;
  /** The user who did it; absent for the operator, a job or a visitor. */
  actorId?: string | null;
  subject: string;
  detail: AuditDetail;
  requestId?: string | null;
}

/** Writes an audit event of the instant `at` in the transaction of `manager`. */
export async function recordAuditEvent(manager: EntityManager, event: AuditEvent, at: Date): Promise<void> {
  await manager.getRepository(AuditEntity).insert({ actorId: null, requestId: null, ...event, at });
}
