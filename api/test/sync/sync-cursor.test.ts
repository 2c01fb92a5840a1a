/** A cursor misses no late commit: with many concurrent writers, a device that follows the deltas has all changes. */
import type { DataSource } from 'typeorm';
import { expect, test } from 'vitest';
import { takeChangeLock } from '../../src/database/locks.sql.ts';
import { createDataSource } from '../../src/schema/data-source.ts';
import { compactScopes } from '../../src/sync/compact-sync.job.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp } from '../support/start-app.ts';
import { SyncDevice } from './sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const WRITERS = 3;
const RUNS = 6;

test('a device that polls during many concurrent writes ends with the tenders of the server', async () => {
  const app = await startApp({ now: NOW });
  const { database } = app;
  const sources: DataSource[] = [];
  const connect = async () => {
    const source = await createDataSource(database.address).initialize();
    sources.push(source);
    return source;
  };
  const importers = await Promise.all(Array.from({ length: WRITERS }, connect));
  const [slow, publisher, compactor] = [await connect(), await connect(), await connect()];
  const first = Array.from({ length: RUNS }, (_, i) => createSourceTender({ sourceId: `2026_FIRST_${i}_1` }));
  await importTenders(database.dataSource, first, { now: NOW });
  const devices = [new SyncDevice('himachal-pradesh'), new SyncDevice('india')];
  for (const device of devices) await device.start(app);

  const write = async (source: DataSource, writer: number) => {
    for (let run = 0; run < RUNS; run++) {
      const notices = Array.from({ length: 8 }, (_, i) =>
        createSourceTender({
          // Two are shared by all writers, three are new each time, some are drafts.
          sourceId: i < 2 ? `2026_SHARED_${i}_1` : `2026_ORG${writer}_${i < 5 ? i : i + run * 10}_1`,
          state: i === 4 ? 'Goa' : 'Himachal Pradesh',
          price: `${writer}${run}0000.00`,
          publishedAt: i === 7 ? new Date('2026-11-11T17:00:00+05:30') : NOW,
          nitKey: i < 5 ? null : `nit-${i}`,
        }),
      );
      await importTenders(source, notices, { now: NOW });
    }
  };
  /** Assigns a number to a tender of this writer and commits late, or never. */
  const writeSlowly = async () => {
    for (let run = 0; run < RUNS; run++)
      await slow
        .transaction(async (manager) => {
          await takeChangeLock(manager);
          await manager.query(
            `UPDATE tender SET price = 77, change_no = nextval('tender_change_no') WHERE source_id = $1`,
            [`2026_FIRST_${run}_1`],
          );
          await manager.query('SELECT pg_sleep(0.1)');
          if (run % 3 === 1) throw new Error('rolled back');
        })
        .catch((error) => expect(error.message).toBe('rolled back'));
  };
  const publish = async () => {
    for (let run = 0; run < RUNS; run++)
      await publishDueDrafts({ dataSource: publisher, now: new Date('2026-11-12T00:00:00Z') });
  };
  const compact = async () => {
    for (let run = 0; run < 2; run++) await compactScopes({ dataSource: compactor, now: NOW });
  };

  let isWriting = true;
  const written = Promise.all([...importers.map(write), writeSlowly(), publish(), compact()]).finally(() => {
    isWriting = false;
  });
  const statuses: number[] = [];
  const follow = async () => {
    // The server's cache of one second has expired each time.
    app.clock.now = new Date(app.clock.now.getTime() + 1_000);
    for (const device of devices) statuses.push(...(await device.update(app)));
  };
  while (isWriting) await follow();
  await written;
  await publishDueDrafts({ dataSource: publisher, now: new Date('2026-11-12T00:00:00Z') });
  await follow();

  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(8);
  expect(statuses).not.toContain(409);
  await compactScopes({ dataSource: compactor, now: NOW });
  for (const device of devices) {
    app.clock.now = new Date(app.clock.now.getTime() + 1_000);
    const server = new SyncDevice(device.scope);
    await server.start(app);
    expect(device.rows).toEqual(server.rows);
  }
  const [{ published }] = await database.dataSource.query(
    'SELECT count(*)::int AS published FROM tender WHERE change_no IS NOT NULL',
  );
  expect(devices[1]?.rows.size).toBe(published);
  await Promise.all(sources.map((source) => source.destroy()));
  await app.close();
});
