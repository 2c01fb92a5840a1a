// @vitest-environment node
import 'fake-indexeddb/auto';
import type { ManifestResponse } from '@nivida/contract/sync/sync';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DeviceDatabase } from '../../../data/device/schema.ts';
import {
  addScopeRow,
  deletePackParts,
  downloadedAmount,
  planPack,
  removeScope,
  removeStates,
  setScopePaused,
  storeListFile,
  storeSegment,
} from './pack-store.ts';

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

/** Saves a segment and a begun download of a scope. */
async function saveScope(scope: string): Promise<void> {
  await addScopeRow(db, scope, null);
  const { segments, ...manifest } = manifestOf('a');
  await planPack(db, scope, { ...manifest, segments });
  for (const segment of segments) await storeListFile(db, scope, segment, new ArrayBuffer(4), null);
  await arrived(scope, 'api/sync/segments/a-detail');
}
const left = async () => ({
  scopes: (await db.scopes.toArray()).map(({ scope, parts }) => `${scope} ${Object.keys(parts).length}`),
  packs: (await db.packs.toArray()).map(({ scope }) => scope),
  downloads: (await db.downloads.toArray()).map(({ scope }) => scope),
});

test('a state that is removed goes with all its parts, and leaves the others', async () => {
  await saveScope(SCOPE);
  await saveScope(OTHER);
  await removeScope(db, SCOPE);
  expect(await left()).toEqual({ scopes: [`${OTHER} 1`], packs: [OTHER], downloads: [OTHER] });
});

test('an unreadable pack loses its parts and stays a saved state', async () => {
  await saveScope(SCOPE);
  await saveScope(OTHER);
  await deletePackParts(db, SCOPE);
  expect(await left()).toEqual({ scopes: [`${OTHER} 1`, `${SCOPE} 0`], packs: [OTHER], downloads: [OTHER] });
  expect(await db.scopes.get(SCOPE)).toMatchObject({ current: null, next: null, savedAt: 0 });
});

test('saving All India removes the saved states', async () => {
  for (const scope of [SCOPE, OTHER, 'india']) await saveScope(scope);
  await removeStates(db);
  expect(await left()).toEqual({ scopes: ['india 1'], packs: ['india'], downloads: ['india'] });
});

test('a pause stops one state only', async () => {
  await saveScope(SCOPE);
  await saveScope(OTHER);
  await setScopePaused(db, SCOPE, true);
  expect((await db.scopes.toArray()).map(({ scope, isPaused }) => [scope, isPaused ?? false])).toEqual([
    [OTHER, false],
    [SCOPE, true],
  ]);
});

test('what is on the phone is counted by its files, with the share of one that is arriving', async () => {
  const manifest = manifestOf('a', 'b', 'c');
  const [a, b] = manifest.segments;
  await addScopeRow(db, SCOPE, null);
  let row = await planPack(db, SCOPE, manifest);
  const ofAll = { rowsOfAll: 3, bytesOfAll: 60 };
  expect(downloadedAmount(manifest, row.parts)).toEqual({ rows: 0, bytes: 0, ...ofAll });
  if (a) row = await storeSegment(db, SCOPE, a, new ArrayBuffer(8));
  if (b) row = await storeListFile(db, SCOPE, b, new ArrayBuffer(4), null);
  // the details of b have arrived by half, and the list of c is longer than it was to be
  const received = { 'api/sync/segments/b-detail': 50, 'api/sync/segments/c-list': 120 };
  expect(downloadedAmount(manifest, row.parts, received)).toEqual({ rows: 2, bytes: 30 + 5 + 10, ...ofAll });
});
