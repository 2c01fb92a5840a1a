/** Locks that several features take, in SQL; each lasts until the transaction of `manager` ends. */
import type { EntityManager } from 'typeorm';
import { AppError } from '../http/errors/app-error.ts';

const CHANGE_LOCK = 4_770_002;

/**
 * Lets one transaction at a time assign change numbers. Numbers thus become visible in their order: a reader that has read
 * up to n never misses a smaller number that was committed later.
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
  if (found.length === 0) throw new AppError('UNAUTHENTICATED', 'Please sign in');
}
