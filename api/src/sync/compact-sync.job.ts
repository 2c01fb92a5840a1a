/** The `compact-sync` job: brings the packs of all scopes up to date. */
import type { DataSource } from 'typeorm';
import { withOwnConnection } from '../database/own-connection.ts';
import type { Job } from '../jobs/job.ts';
import { compactPack } from './build-pack.ts';
import { pruneTombstones } from './epoch.ts';
import { SCOPES } from './scope-rows.sql.ts';
import { DELETE_UNUSED_SEGMENTS, MARK_UNUSED_SEGMENTS } from './sync.sql.ts';

/** Builds the packs that are due, then deletes unused segments and old tombstones. Returns the number of packs built. */
export function compactScopes({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  return withOwnConnection(dataSource, 'nivida-packs', async (query) => {
    let built = 0;
    for (const scope of SCOPES) if (await compactPack(scope, { query, now })) built++;
    // Segments without a manifest are kept for two days, for devices that are still downloading them.
    await query(MARK_UNUSED_SEGMENTS, [now]);
    await query(DELETE_UNUSED_SEGMENTS, [now]);
    await pruneTombstones(query, now);
    return built;
  });
}

export const compactSyncJob: Job = { name: 'compact-sync', cron: '7 * * * *', run: compactScopes };
