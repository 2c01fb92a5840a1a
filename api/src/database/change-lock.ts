import type { EntityManager } from 'typeorm';

const CHANGE_LOCK = 4_770_002;

/**
 * Lets one transaction at a time give out change numbers, until it ends. So numbers become visible in their order, and
 * whoever has read up to n never misses a smaller one that was committed late (offline.md, sync protocol).
 */
export async function takeChangeLock(manager: EntityManager): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [CHANGE_LOCK]);
}
