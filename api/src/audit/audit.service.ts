import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../base/injection-tokens.ts';
import { type AuditDetail, AuditEntity } from './audit.entity.ts';

/** An audit event to record; `subject` is the id of the object that changed. */
export interface AuditEvent {
  action: string;
  actorId: string | null;
  subject: string;
  detail: AuditDetail;
  requestId: string | null;
}

/** Writes an audit event of the instant `at` in the transaction of `manager`. */
export async function recordAuditEvent(manager: EntityManager, event: AuditEvent, at: Date): Promise<void> {
  await manager.getRepository(AuditEntity).insert({ ...event, at });
}

/** The audit log with the injected clock. */
@Injectable()
export class AuditService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Writes an audit event of now in the transaction of `manager`. */
  record(manager: EntityManager, event: AuditEvent): Promise<void> {
    return recordAuditEvent(manager, event, this.now());
  }
}
