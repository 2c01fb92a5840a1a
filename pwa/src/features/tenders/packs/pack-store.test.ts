// @vitest-environment node
import 'fake-indexeddb/auto';
import type { ManifestResponse } from '@nivida/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../../data/device/schema.ts';
import { addScopeRow, planPack, storeListFile } from './pack-store.ts';

const SCOPE = 'himachal-pradesh';
const OTHER = 'assam';

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('pack-store');
});
afterEach(() => db.delete());

const file = (hash: string) => ({ hash, bytes: 10, size: 100, url: `/api/sync/segments/${hash}` });
const manifestOf = (...names: string[]): ManifestResponse => ({
  schema: 1,
  scope: SCOPE,
  epoch: 'one',
  cursor: 'one.1.0',
  rows: names.length,
  segments: names.map((name) => ({ rows: 1, list: file(`${name}-list`), detail: file(`${name}-detail`) })),
  checked: {},
});
const arrived = (scope: string, name: string) =>
  db.downloads.put({ scope, file: name, at: 0, etag: '"1"', bytes: new ArrayBuffer(8) });
const downloads = async () => (await db.downloads.toArray()).map(({ scope, file: name }) => `${scope} ${name}`).sort();

test('a plan keeps the downloaded bytes of its own files and of deltas, and of no other file of the scope', async () => {
  await addScopeRow(db, SCOPE, null);
  const delta = `api/sync/${SCOPE}/delta?cursor=one.1.0`;
  await arrived(SCOPE, 'api/sync/segments/a-list');
  await arrived(SCOPE, 'api/sync/segments/b-detail');
  await arrived(SCOPE, 'api/sync/segments/gone-list');
  await arrived(SCOPE, delta);
  await arrived(OTHER, 'api/sync/segments/gone-list');
  await planPack(db, SCOPE, manifestOf('a', 'b'));
  expect(await downloads()).toEqual(
    [
      `${OTHER} api/sync/segments/gone-list`,
      `${SCOPE} api/sync/segments/a-list`,
      `${SCOPE} api/sync/segments/b-detail`,
      `${SCOPE} ${delta}`,
    ].sort(),
  );
});

test('a later plan keeps the parts that it names, and deletes those that only the earlier one named', async () => {
  await addScopeRow(db, SCOPE, null);
  const earlier = manifestOf('a', 'gone');
  await planPack(db, SCOPE, earlier);
  for (const segment of earlier.segments) await storeListFile(db, SCOPE, segment, new ArrayBuffer(4), null);
  const row = await planPack(db, SCOPE, manifestOf('a', 'new'));
  expect(Object.keys(row.parts)).toEqual(['list a-list a-detail']);
  expect((await db.packs.toArray()).map(({ part }) => part)).toEqual(['list a-list a-detail']);
});
