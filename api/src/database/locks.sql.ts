/** Row and advisory locks. SQL: TypeORM has no advisory locks. Each lasts until the transaction of `manager` ends. */
import type { EntityManager } from 'typeorm';
import { signInRequired } from '../base/app-error.ts';

const CHANGE_LOCK = 4_770_002;

/**
 * Lets one transaction at a time assign change numbers, so that numbers become visible in their order. A reader that has
 * read up to n never misses a smaller number that was committed later.
 */
export async function takeChangeLock(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [CHANGE_LOCK]);
}

/** Lets one transaction at a time hold the lock `name`. */
export async function takeNamedLock(manager: EntityManager, name: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** Lets one transaction at a time count and add rows of an account. UNAUTHENTICATED when the account is gone. */
export async function lockAccount(manager: EntityManager, userId: string): Promise<void> {
  const found = await manager.query('SELECT 1 FROM account WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  if (found.length === 0) throw signInRequired();
}

/**
 * Locks the published tenders among `ids` and returns their ids. A transaction that deletes one of them waits, and then
 * deletes the rows added in the meantime as well.
 */
export async function lockPublishedTenders(manager: EntityManager, ids: number[], now: Date): Promise<number[]> {
  const rows: { id: number }[] = await manager.query(
    'SELECT id FROM tender WHERE id = ANY($1) AND published_at <= $2 ORDER BY id FOR KEY SHARE',
    [ids, now],
  );
  return rows.map(({ id }) => id);
}
