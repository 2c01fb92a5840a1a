/** Firms with members and a plan, for tests. */
import { randomUUID } from 'node:crypto';
import type { Firm } from '@nivida/contract/firms/firms';
import { DataSource } from 'typeorm';
import { FirmEntity, FirmMemberEntity } from '../../src/firms/firm.entity.ts';
import type { TestApp } from '../support/start-app.ts';

/** Stores a firm; its first user is the owner. With a plan of a year that began at `plan`. Returns its id. */
export async function createFirmRow(
  { app }: Pick<TestApp, 'app'>,
  userIds: readonly string[],
  { name = 'Verma Builders', plan }: { name?: string; plan?: Date } = {},
): Promise<Firm['id']> {
  const { manager } = app.get(DataSource);
  const id = randomUUID();
  const createdAt = new Date('2026-10-01T10:00:00+05:30');
  await manager.insert(FirmEntity, { id, name, address: '', gstin: '', createdAt });
  for (const [at, userId] of userIds.entries())
    await manager.insert(FirmMemberEntity, {
      ...{ firmId: id, userId, role: at === 0 ? 'owner' : 'member', leftAt: null },
      joinedAt: new Date(createdAt.getTime() + at),
    });
  if (plan)
    await manager.query(
      `INSERT INTO entitlement (kind, firm_id, email, plan_id, states, starts_at, ends_at, is_test, is_gift, created_at)
       VALUES ('plan', $1, '', 'enterprise', '{}', $2, $2::timestamptz + interval '1 year', true, true, $2)`,
      [id, plan],
    );
  return id;
}
