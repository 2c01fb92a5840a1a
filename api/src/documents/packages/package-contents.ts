/** The tenders of a notice whose package can be sold. */
import type { EntityManager } from 'typeorm';
import { takeChangeLock } from '../../database/locks.sql.ts';
import { DIFFERING_CONTENTS, UPDATE_CONTENTS } from './packages.sql.ts';

/**
 * Stores in each tender of a notice what its package contains. A change gets a change number, so that devices receive it
 * with the next sync. It makes no new version of the tender and sends no alert.
 */
export async function storePackageContents(manager: EntityManager, nit: string, now: Date): Promise<void> {
  const differing = await manager.query(DIFFERING_CONTENTS, [nit, now]);
  if (differing.length === 0) return;
  await manager.transaction(async (locked) => {
    await takeChangeLock(locked);
    await locked.query(UPDATE_CONTENTS, [nit, now]);
  });
}
