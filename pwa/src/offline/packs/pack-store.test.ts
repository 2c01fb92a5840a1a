// @vitest-environment node
import 'fake-indexeddb/auto';
import type { ManifestResponse } from '@nivida/contract/sync/sync';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase, type MergedDeltaRow, type OfflinePack } from '../../data/device/schema.ts';
import {
  scopeName,
  scopeOfState,
  searchableScopes,
  setReceived,
  setRow,
  setRows,
  setRun,
  usePacks,
} from './pack-status.ts';
import {
  activateFirstPack,
  addScopeRow,
  confirmPack,
  deletePackFiles,
  downloadedAmount,
  endPausesOfComplete,
  isPackComplete,
  isPackSearchable,
  isScopeUnfinished,
  type PackProgressState,
  planPack,
  readStoredPack,
  removeScope,
  removeStates,
  replacePack,
  type StoredPackData,
  setScopePaused,
  storeListFile,
  storeMergedDelta,
  storeRebuiltIndexes,
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
  await addScopeRow(db, SCOPE);
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
  await addScopeRow(db, SCOPE);
  const earlier = manifestOf('a', 'gone');
  await planPack(db, SCOPE, earlier);
  for (const segment of earlier.segments) await storeListFile(db, SCOPE, segment, new ArrayBuffer(4), null);
  const row = await planPack(db, SCOPE, manifestOf('a', 'new'));
  expect(Object.keys(row.files)).toEqual(['list a-list a-detail']);
  expect((await db.packFiles.toArray()).map(({ name }) => name)).toEqual(['list a-list a-detail']);
});

/** Saves a segment and a begun download of a scope. */
async function saveScope(scope: string): Promise<void> {
  await addScopeRow(db, scope);
  const { segments, ...manifest } = manifestOf('a');
  await planPack(db, scope, { ...manifest, segments });
  for (const segment of segments) await storeListFile(db, scope, segment, new ArrayBuffer(4), null);
  await arrived(scope, 'api/sync/segments/a-detail');
}
const left = async () => ({
  scopes: (await db.scopes.toArray()).map(({ scope, files }) => `${scope} ${Object.keys(files).length}`),
  files: (await db.packFiles.toArray()).map(({ scope }) => scope),
  downloads: (await db.downloads.toArray()).map(({ scope }) => scope),
});

test('a state that is removed goes with all its parts, and leaves the others', async () => {
  await saveScope(SCOPE);
  await saveScope(OTHER);
  await removeScope(db, SCOPE);
  expect(await left()).toEqual({ scopes: [`${OTHER} 1`], files: [OTHER], downloads: [OTHER] });
});

test('an unreadable pack loses its parts and stays a saved state', async () => {
  await saveScope(SCOPE);
  await saveScope(OTHER);
  await deletePackFiles(db, SCOPE);
  expect(await left()).toEqual({ scopes: [`${OTHER} 1`, `${SCOPE} 0`], files: [OTHER], downloads: [OTHER] });
  expect(await db.scopes.get(SCOPE)).toMatchObject({ current: null, next: null, savedAt: 0 });
});

test('saving All India removes the saved states', async () => {
  for (const scope of [SCOPE, OTHER, 'india']) await saveScope(scope);
  await removeStates(db);
  expect(await left()).toEqual({ scopes: ['india 1'], files: ['india'], downloads: ['india'] });
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
  await addScopeRow(db, SCOPE);
  let row = await planPack(db, SCOPE, manifest);
  const ofAll = { rowsOfAll: 3, bytesOfAll: 60 };
  expect(downloadedAmount(manifest, row.files)).toEqual({ rows: 0, bytes: 0, ...ofAll });
  if (a) row = await storeSegment(db, SCOPE, a, new ArrayBuffer(8));
  if (b) row = await storeListFile(db, SCOPE, b, new ArrayBuffer(4), null);
  // the details of b have arrived by half, and the list of c is longer than it was to be
  const received = { 'api/sync/segments/b-detail': 50, 'api/sync/segments/c-list': 120 };
  expect(downloadedAmount(manifest, row.files, received)).toEqual({ rows: 2, bytes: 30 + 5 + 10, ...ofAll });
  expect(downloadedAmount(manifest, { 'list-index c-list c-detail': 5 })).toEqual({ rows: 1, bytes: 10, ...ofAll });
});

test.each([
  [{}, false, false],
  [{ 'list-index a-list a-detail': 1, 'list a-list a-detail': 1 }, false, false],
  [{ 'list-index a-list a-detail': 1, 'index b-list b-detail': 1 }, true, false],
  [{ 'index a-list a-detail': 1, 'index b-list b-detail': 1 }, true, true],
  [{ 'index a-list other': 1, 'index b-list b-detail': 1 }, false, false],
])('a pack of which %j is stored can be searched: %s, and is complete: %s', (files, isSearchable, isComplete) => {
  const pack = manifestOf('a', 'b') as OfflinePack;
  expect([isPackSearchable(pack, files), isPackComplete(pack, files)]).toEqual([isSearchable, isComplete]);
  const row = { scope: SCOPE, current: pack, next: null, files, savedAt: 0, changed: 0, replaces: null };
  expect(isScopeUnfinished(row)).toBe(!isComplete);
  expect(isScopeUnfinished({ ...row, next: pack })).toBe(true);
  expect(isScopeUnfinished({ ...row, current: null })).toBe(true);
});

const size = (bytes: number) => new ArrayBuffer(bytes);
const CHANGES = { list: { id: [1, 2, 3] }, details: { id: [1, 2, 3] }, removed: [9], index: size(7) };
const progress = (cursor: string, change: Partial<PackProgressState> = {}): PackProgressState => ({
  ...{ cursor, checked: { hptenders: '2026-11-10T06:00:00.000Z' }, savedAt: 5_000, changes: null },
  ...change,
});
const withChanges = (cursor: string) =>
  progress(cursor, { changes: CHANGES as unknown as PackProgressState['changes'] });

/** Saves a complete pack in use. */
async function saveComplete(scope: string, name: string, to = progress('one.1.0')) {
  await addScopeRow(db, scope);
  const manifest = manifestOf(name);
  const { next } = await planPack(db, scope, manifest);
  for (const segment of manifest.segments) await storeSegment(db, scope, segment, size(8));
  return next && replacePack(db, scope, next, to);
}

test('a state that is saved again stays as it is, and a new one has nothing yet', async () => {
  await saveComplete(SCOPE, 'a');
  const before = await db.scopes.get(SCOPE);
  await addScopeRow(db, SCOPE);
  expect(await db.scopes.get(SCOPE)).toEqual(before);
  await addScopeRow(db, OTHER);
  expect(await db.scopes.get(OTHER)).toEqual({
    ...{ scope: OTHER, current: null, next: null, files: {}, savedAt: 0, changed: 0, replaces: null },
  });
});

test('only the pauses of complete states end by themselves', async () => {
  await saveComplete(SCOPE, 'a');
  await saveScope(OTHER);
  for (const scope of [SCOPE, OTHER]) await setScopePaused(db, scope, true);
  await endPausesOfComplete(db);
  expect((await db.scopes.toArray()).map(({ scope, isPaused }) => [scope, isPaused])).toEqual([
    [OTHER, true],
    [SCOPE, false],
  ]);
});

test('a first pack is used once all its lists are here, with the age of its last comparison, and an empty one is not', async () => {
  await addScopeRow(db, SCOPE);
  const checked = { hptenders: '2026-11-10T06:00:00.000Z', gem: '2026-11-09T06:00:00.000Z' };
  const manifest = { ...manifestOf('a', 'b'), checked };
  await planPack(db, SCOPE, manifest);
  const [a, b] = manifest.segments;
  if (a) await storeListFile(db, SCOPE, a, size(4), size(5));
  expect((await activateFirstPack(db, SCOPE)).current).toBeNull();
  if (b) await storeListFile(db, SCOPE, b, size(4), size(5));
  const row = await activateFirstPack(db, SCOPE);
  const savedAt = Date.parse('2026-11-10T06:00:00.000Z');
  expect(row).toMatchObject({ next: null, savedAt, changed: 0, current: { cursor: 'one.1.0', checked, rows: 2 } });
  expect(row.files).toEqual({
    ...{
      'list a-list a-detail': 4,
      'list-index a-list a-detail': 5,
      'list b-list b-detail': 4,
      'list-index b-list b-detail': 5,
    },
  });
  await planPack(db, SCOPE, { ...manifestOf('a'), cursor: 'later' });
  expect((await activateFirstPack(db, SCOPE)).current?.cursor).toBe('one.1.0');
  await addScopeRow(db, OTHER);
  await planPack(db, OTHER, manifestOf());
  expect((await activateFirstPack(db, OTHER)).current).toBeNull();
  await expect(activateFirstPack(db, 'goa')).rejects.toMatchObject({ name: 'ScopeRemovedError' });
});

test('a new pack replaces the old one with its parts', async () => {
  await saveComplete(SCOPE, 'a', withChanges('one.1.0'));
  const manifest = { ...manifestOf('b'), epoch: 'two', cursor: 'two.1.0' };
  const { next } = await planPack(db, SCOPE, manifest);
  for (const segment of manifest.segments) await storeSegment(db, SCOPE, segment, size(9));
  if (!next) throw new Error('there is no plan');
  for (const planned of [
    { ...next, epoch: 'one' },
    { ...next, cursor: 'two.2.0' },
  ])
    expect((await replacePack(db, SCOPE, planned, progress('two.3.0'))).current?.epoch).toBe('one');
  const row = await replacePack(db, SCOPE, next, progress('two.3.0', { savedAt: 6_000 }));
  expect(row).toMatchObject({ next: null, replaces: null, savedAt: 6_000, changed: 0 });
  expect(row.current).toMatchObject({ epoch: 'two', cursor: 'two.3.0', checked: progress('').checked });
  expect(row.files).toEqual({ 'index b-list b-detail': 9 });
  expect((await db.packFiles.toArray()).map(({ scope, name }) => `${scope} ${name}`)).toEqual([
    `${SCOPE} index b-list b-detail`,
  ]);
  expect(await db.scopes.toCollection().primaryKeys()).toEqual([SCOPE]);
});

test('a plan beside the pack in use keeps its parts and its changes', async () => {
  await saveComplete(SCOPE, 'a', withChanges('one.1.0'));
  const row = await planPack(db, SCOPE, manifestOf('b'));
  expect(row.files).toEqual({ 'index a-list a-detail': 8, delta: 7 });
  expect((await readStoredPack(db, SCOPE))?.removed).toEqual([9]);
});

test('changes and confirmations are stored for the cursor that they follow only', async () => {
  await saveComplete(SCOPE, 'a');
  const later = { gem: '2026-11-10T07:00:00.000Z' };
  expect((await storeMergedDelta(db, SCOPE, 'other', withChanges('one.2.0'))).changed).toBe(0);
  expect((await confirmPack(db, SCOPE, 'other', 9_000, later)).savedAt).toBe(5_000);
  const row = await storeMergedDelta(db, SCOPE, 'one.1.0', { ...withChanges('one.2.0'), checked: later });
  expect(row).toMatchObject({ changed: 3, savedAt: 5_000, current: { cursor: 'one.2.0', checked: { ...later } } });
  expect(row.current?.checked).toEqual({ ...progress('').checked, ...later });
  expect(row.files.delta).toBe(7);
  const confirmed = await confirmPack(db, SCOPE, 'one.2.0', 9_000, later);
  expect([confirmed.savedAt, confirmed.current?.checked, confirmed.changed]).toEqual([9_000, later, 3]);
});

test('the engine gets the pack in use with its changes, and none while a part is missing', async () => {
  expect(await readStoredPack(db, SCOPE)).toBeUndefined();
  await saveComplete(SCOPE, 'a', withChanges('one.1.0'));
  const stored = await readStoredPack(db, SCOPE);
  expect(stored?.indexes).toHaveLength(1);
  expect([stored?.delta?.byteLength, stored?.removed, stored?.pack.cursor]).toEqual([7, [9], 'one.1.0']);
  await db.packFiles.delete([SCOPE, 'index a-list a-detail']);
  expect(await readStoredPack(db, SCOPE)).toBeUndefined();
  await saveComplete(OTHER, 'o');
  const other = await readStoredPack(db, OTHER);
  expect([other?.delta, other?.removed]).toEqual([null, []]);
});

test('rebuilt indexes replace those that were read, unless the pack has changed in the meantime', async () => {
  await saveComplete(SCOPE, 'a', withChanges('one.1.0'));
  const stored = (await readStoredPack(db, SCOPE)) as StoredPackData;
  const rebuilt = [
    { part: 0, buffer: size(20) },
    { part: 'delta' as const, buffer: size(21) },
  ];
  const sizes = async () => (await db.scopes.get(SCOPE))?.files;
  const before = { 'index a-list a-detail': 8, delta: 7 };
  await storeRebuiltIndexes(db, { ...stored, row: { ...stored.row, changed: 4 } }, rebuilt);
  await storeRebuiltIndexes(db, { ...stored, pack: { ...stored.pack, cursor: 'other' } }, rebuilt);
  expect(await sizes()).toEqual(before);
  await storeRebuiltIndexes(db, stored, rebuilt);
  expect(await sizes()).toEqual({ 'index a-list a-detail': 20, delta: 21 });
  const delta = (await db.packFiles.get([SCOPE, 'delta'])) as MergedDeltaRow;
  expect([delta.index.byteLength, delta.list, delta.removed]).toEqual([21, CHANGES.list, [9]]);
});

test('a rebuilt index of list fields does not replace the whole one that has arrived in the meantime', async () => {
  await addScopeRow(db, SCOPE);
  const { segments, ...manifest } = manifestOf('a');
  await planPack(db, SCOPE, { ...manifest, segments });
  for (const segment of segments) await storeListFile(db, SCOPE, segment, size(4), size(5));
  await activateFirstPack(db, SCOPE);
  const stored = (await readStoredPack(db, SCOPE)) as StoredPackData;
  const rebuilt = [{ part: 0, buffer: size(20) }];
  await storeRebuiltIndexes(db, stored, rebuilt);
  expect((await db.scopes.get(SCOPE))?.files).toEqual({ 'list a-list a-detail': 4, 'list-index a-list a-detail': 20 });
  for (const segment of segments) await storeSegment(db, SCOPE, segment, size(8));
  await storeRebuiltIndexes(db, stored, rebuilt);
  expect((await db.scopes.get(SCOPE))?.files).toEqual({ 'index a-list a-detail': 8 });
});

test('the status of a state follows its row, and its run, problem and progress stay', () => {
  const row = (scope: string, savedAt = 0) => ({
    ...{ scope, current: manifestOf('a') as OfflinePack, next: null, files: {}, savedAt, changed: 0, replaces: null },
  });
  usePacks.setState({ isRead: false, hinted: ['goa'], scopes: {} });
  expect(searchableScopes(usePacks.getState())).toEqual(['goa']);
  setRows([row(SCOPE), row(OTHER)]);
  expect(usePacks.getState().scopes).toEqual({
    [SCOPE]: { row: row(SCOPE), isRunning: false, problem: null },
    [OTHER]: { row: row(OTHER), isRunning: false, problem: null },
  });
  expect(searchableScopes(usePacks.getState())).toEqual([]);
  setRun(SCOPE, true, 'network');
  setReceived(SCOPE, 'list', 5);
  setReceived(SCOPE, 'detail', 7);
  setRun('goa', true, null);
  setReceived('goa', 'list', 5);
  const run = { isRunning: true, problem: 'network', received: { list: 5, detail: 7 } };
  setRow(row(SCOPE, 9));
  expect(usePacks.getState().scopes[SCOPE]).toEqual({ row: row(SCOPE, 9), ...run });
  setRows([{ ...row(SCOPE, 10), files: { 'list-index a-list a-detail': 1 } }]);
  expect(Object.keys(usePacks.getState().scopes)).toEqual([SCOPE]);
  expect(usePacks.getState().scopes[SCOPE]).toMatchObject({ row: { savedAt: 10 }, ...run });
  expect(searchableScopes(usePacks.getState())).toEqual([SCOPE]);
  usePacks.setState({ isRead: false, hinted: [], scopes: {} });
});

test('the status is known in the page also where browser storage is full', () => {
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  setRows([{ scope: SCOPE, current: null, next: null, files: {}, savedAt: 0, changed: 0, replaces: null }]);
  vi.unstubAllGlobals();
  expect(Object.keys(usePacks.getState().scopes)).toEqual([SCOPE]);
  usePacks.setState({ isRead: false, hinted: [], scopes: {} });
});

test('a state is known by its name and its slug, and a scope has the name that users read', () => {
  expect(['Himachal Pradesh', 'himachal-pradesh', 'HP', 'india'].map(scopeOfState)).toEqual([
    ...[SCOPE, SCOPE, undefined, undefined],
  ]);
  expect([SCOPE, 'india', 'nowhere'].map(scopeName)).toEqual(['Himachal Pradesh', 'All India', 'nowhere']);
});
