import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../http/injection-tokens.ts';
import { type AuditDetail, AuditEntity } from './audit.entity.ts';

/** What is written down of a deed; `subject` is the id of what was acted on. */
export interface AuditEvent {
  action: string;
  actorId: string | null;
  subject: string;
  detail: AuditDetail;
  requestId: string | null;
}

/** Writes a deed of the instant `at` down in the transaction of `manager`: neither stays without the other. */
export async function recordAuditEvent(manager: EntityManager, event: AuditEvent, at: Date): Promise<void> {
  await manager.getRepository(AuditEntity).insert({ ...event, at });
}

/** The audit log for whoever is injected a clock. */
@Injectable()
export class AuditService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Writes a deed of now down in the transaction of `manager`. */
  record(manager: EntityManager, event: AuditEvent): Promise<void> {
    return recordAuditEvent(manager, event, this.now());
  }
}
