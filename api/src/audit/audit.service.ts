import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CLOCK } from '../http/tokens.ts';
import { type AuditDetail, AuditEntity } from './audit.entity.ts';

/** What is written down of a deed; `subject` is the id of what was acted on. */
export interface Deed {
  action: string;
  actorId: string | null;
  subject: string;
  detail: AuditDetail;
  requestId: string | null;
}

/** Writes a deed of the instant `at` down in the transaction of `manager`: neither stays without the other. */
export async function recordDeed(manager: EntityManager, deed: Deed, at: Date): Promise<void> {
  await manager.getRepository(AuditEntity).insert({ ...deed, at });
}

/** The audit log for whoever is injected a clock. */
@Injectable()
export class AuditService {
  constructor(@Inject(CLOCK) private readonly now: () => Date) {}

  /** Writes a deed of now down in the transaction of `manager`. */
  record(manager: EntityManager, deed: Deed): Promise<void> {
    return recordDeed(manager, deed, this.now());
  }
}
