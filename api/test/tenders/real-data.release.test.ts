/**
 * A second import of a real file; skipped without the folder beside the project.
 * @module-tag release
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/schema/database.ts';
import { describeWithData } from '../support/test-machine.ts';
import { createRealDatabase, HIMACHAL, importPortal, REAL_NOW } from './real-tenders.ts';

describeWithData('the real files', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createRealDatabase(HIMACHAL);
  });
  afterAll(() => database.close());

  test('a second import a day later changes nothing', async () => {
    const history = 'SELECT count(*)::int AS rows, max(change_no)::int AS last FROM tender_history';
    const before = await database.dataSource.query(history);
    const now = new Date(REAL_NOW.getTime() + 86_400_000);
    const counts = { read: HIMACHAL.rows, new: 0, changed: 0, unchanged: HIMACHAL.rows, rejected: 0, warnings: 4 };
    expect(await importPortal(HIMACHAL, database, { now })).toEqual(counts);
    expect(await database.dataSource.query(history)).toEqual(before);
  });
});
