/**
 * Packs and deltas of the real tenders of two portals, read from the folder beside the project; skipped without it.
 * @module-tag release
 */
import { type DetailRow, packDetails, packList, readDetails, readList } from '@nivida/contract/sync/sync-wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSegmentIndex } from '../../../pwa/src/offline/segments/build-segment-index.ts';
import { SegmentIndex } from '../../../pwa/src/offline/segments/segment-index.ts';
import type { Database } from '../../src/schema/database.ts';
import type { SqlQuery } from '../../src/sync/epoch.ts';
import { readRowsAfter, rowsToColumns } from '../../src/sync/scope-rows.sql.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { describeWithData } from '../support/test-machine.ts';
import { ASSAM, createRealDatabase, HIMACHAL, REAL_NOW as NOW } from '../tenders/real-tenders.ts';
import { SyncDevice } from './sync-device.ts';

const DAY_MS = 86_400_000;

describeWithData('the real tenders', () => {
  let database: Database;
  let app: TestApp;
  let query: SqlQuery;
  beforeAll(async () => {
    database = await createRealDatabase(HIMACHAL, ASSAM);
    app = await startApp({ now: NOW, database });
    query = (text, values) => database.dataSource.query(text, values);
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  test('of a complete file are decoded to their input', async () => {
    const { list, details } = rowsToColumns(
      await readRowsAfter(query, null, new Date('2020-01-01'), { after: 0, upTo: null }, 100_000),
    );
    expect(list.id.length).toBeGreaterThan(11_000);
    expect(readList(JSON.parse(JSON.stringify(packList(list))))).toEqual(list);
    expect(readDetails(JSON.parse(JSON.stringify(packDetails(details))))).toEqual(details);
  });

  test('are decoded with the stored tenders of a device to their input', async () => {
    const { list, details } = rowsToColumns(
      await readRowsAfter(query, 'Himachal Pradesh', new Date('2020-01-01'), { after: 0, upTo: null }, 100_000),
    );
    const pack = SegmentIndex.open(
      buildSegmentIndex(list, readDetails(JSON.parse(JSON.stringify(packDetails(details))))),
    );
    expect(pack.rows).toBeGreaterThan(5_000);
    const given = details.id.map((id) => pack.detailsAt(pack.rowOf(id)));
    for (const [field, values] of Object.entries(details))
      expect(
        given.map((row) => row?.[field as keyof DetailRow]),
        field,
      ).toEqual(values);
  });

  test('give a device the same tenders day by day as a new one at once', async () => {
    const device = new SyncDevice('himachal-pradesh');
    const { rows } = await device.start(app);
    expect(rows).toBe(1_701);
    for (let day = 1; day <= 5; day++) {
      app.clock.now = new Date(NOW.getTime() + day * DAY_MS);
      await publishDueDrafts({ dataSource: database.dataSource, now: app.clock.now });
      await device.update(app);
    }
    const other = new SyncDevice('himachal-pradesh');
    await other.start(app);
    await other.update(app);
    expect(device.rows.size).toBeGreaterThan(1_800);
    // A new device may load a pack after a compaction, which omits tenders that closed more than thirty days ago.
    const listRows = ({ rows }: SyncDevice) =>
      new Map(
        [...rows].filter(([, row]) => row.closesAt > app.clock.now.getTime() - 30 * DAY_MS).sort(([a], [b]) => a - b),
      );
    expect(listRows(device)).toEqual(listRows(other));
    const { json } = await app.get('/api/tenders?state=himachal-pradesh');
    const isOpen = (closesAt: number) => closesAt > app.clock.now.getTime();
    expect([...device.rows.values()].filter(({ closesAt }) => isOpen(closesAt))).toHaveLength(json.total);
  });
});
