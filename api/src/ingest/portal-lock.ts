import type { DataSource } from 'typeorm';
import { withOwnConnection } from '../database/own-connection.ts';
import { TRY_LOCK_PORTAL, UNLOCK_PORTAL } from './ingest.sql.ts';

const PORTAL_LOCK = 4_770_004;

/** Seconds after which a job asks again whether another import of its portal has ended. */
export const PORTAL_BUSY_SECONDS = 10;

/**
 * Runs `work` as the only import of the portal among feeds and sent files. Returns undefined when another one runs. The
 * lock ends with the connection, even when the process is killed.
 */
export async function withPortalLock<Result>(
  dataSource: DataSource,
  portal: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = [PORTAL_LOCK, portal];
  return withOwnConnection(dataSource, 'nivida-imports', async (query) => {
    const [answer] = await query(TRY_LOCK_PORTAL, lock);
    if (!answer?.held) return undefined;
    return work().finally(() => query(UNLOCK_PORTAL, lock));
  });
}
