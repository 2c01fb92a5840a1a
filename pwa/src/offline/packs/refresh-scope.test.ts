import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { EngineHost } from '../engine/engine-host.ts';
import { DEFAULT_ENGINE_QUERY } from '../engine/query.ts';
import { buildSegmentIndex } from '../segments/build-segment-index.ts';
import { CorruptPackFileError, SchemaMismatchError } from './fetch-pack.ts';
import { addScopeRow, downloadedAmount, isPackComplete, readMergedDelta, readStoredPack } from './pack-store.ts';
import { type RefreshDependencies, refreshScope } from './refresh-scope.ts';
import { TestServer } from './test-server.ts';

const SCOPE = 'himachal-pradesh';
const NOW = new Date('2026-11-10T06:00:00Z');
const HOUSES = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, title: `House number ${id}`, words: `gravel ${id}` }));

let server: TestServer;
let db: DeviceDatabase;
let names = 0;

beforeEach(async () => {
  server = new TestServer(HOUSES);
  vi.stubGlobal('fetch', server.fetch);
  // Offline, a failed call is not retried after a pause.
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  names += 1;
  db = new DeviceDatabase(`refresh ${names}`);
  await addScopeRow(db, SCOPE);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await db.delete();
});

/** Simulates a tab that was closed and opened again. */
async function reopen(): Promise<void> {
  db.close();
  db = new DeviceDatabase(db.name);
  await db.open();
}

function tools(onEvent: () => void = () => undefined): RefreshDependencies {
  return {
    db,
    build: async (list, details) => {
      onEvent();
      return buildSegmentIndex(list, details);
    },
    details: async (pack, ids) => {
      onEvent();
      return new EngineHost().details(pack, ids);
    },
    onStep: onEvent,
  };
}

const refresh = (onEvent?: () => void) => refreshScope(SCOPE, tools(onEvent));

/** Titles of the open tenders that the device finds; undefined when there is no searchable pack. */
async function foundTitles(q = ''): Promise<string[] | undefined> {
  const copy = await readStoredPack(db, SCOPE);
  if (!copy) return undefined;
  const host = new EngineHost();
  await host.load(copy);
  return host
    .search({ ...DEFAULT_ENGINE_QUERY, q, order: 'asc', limit: 50 }, NOW)
    .tenders.map(({ title }) => title)
    .sort();
}

/** The document name of each open tender by its id. */
async function documentNames(): Promise<Record<string, string>> {
  const host = new EngineHost();
  await host.load((await readStoredPack(db, SCOPE)) ?? { indexes: [], delta: null, removed: [] });
  const asked = server.tenders.map(({ id }) => [id, host.tender(id, NOW)?.documents[0]?.name]);
  return Object.fromEntries(asked.filter(([, name]) => name));
}

const titles = () => server.tenders.map(({ title }) => title).sort();

/** The scope's `files` must name exactly the stored files. */
async function expectConsistent(): Promise<void> {
  for (const row of await db.scopes.toArray()) {
    const held = await db.packFiles.where({ scope: row.scope }).toArray();
    expect(held.map(({ name }) => name).sort()).toEqual(Object.keys(row.files).sort());
  }
}

describe('a first pack', () => {
  test('can be searched by its list fields before its details arrive', async () => {
    server.fault = async (path) => {
      // Five of six files arrive: the list files and two detail files.
      if (server.filesAsked.length >= 6 && path.includes('segments')) throw new TypeError('Failed to fetch');
      return undefined;
    };
    await expect(refresh()).rejects.toThrow();
    expect(await foundTitles()).toEqual(titles());
    expect(await foundTitles('house')).toHaveLength(7);
    expect(await foundTitles('gravel')).toHaveLength(6);
    const row = await db.scopes.get(SCOPE);
    expect(isPackComplete(row?.current as never, row?.files ?? {})).toBe(false);
    expect(downloadedAmount(row?.current as never, row?.files ?? {})).toMatchObject({ rows: 7, rowsOfAll: 7 });
  });

  test('can be searched by its list fields when the connection breaks after them, and has their age', async () => {
    server.change([{ id: 8, title: 'House number 8' }]);
    server.fault = async (path) => {
      if (path.endsWith('/delta')) throw new TypeError('Failed to fetch');
      return undefined;
    };
    await expect(refresh()).rejects.toThrow();
    expect(await foundTitles()).toEqual(HOUSES.map(({ title }) => title));
    // The segments' age, not the time of the fetch: the eighth house existed by then.
    expect((await db.scopes.get(SCOPE))?.savedAt).toBe(Date.parse('2026-11-10T04:10:00Z'));
    await expectConsistent();
    server.fault = async () => undefined;
    await refresh();
    expect(await foundTitles()).toEqual(titles());
    expect(await foundTitles('gravel')).toHaveLength(7);
    await expectConsistent();
  });

  test('is stored as buffers where the browser cannot store Blobs', async () => {
    // A proxy cannot be stored.
    vi.stubGlobal(
      'Blob',
      class extends Blob {
        constructor(parts: BlobPart[]) {
          super(parts);
          // biome-ignore lint/correctness/noConstructorReturn: the browser gives an object that it cannot store
          return new Proxy(this, {});
        }
      },
    );
    await refresh();
    vi.unstubAllGlobals();
    expect(
      (await db.packFiles.toArray()).map((part) => part.kind === 'index' && part.index instanceof ArrayBuffer),
    ).toEqual([true, true, true]);
    expect(await foundTitles('gravel')).toEqual(titles());
    await expectConsistent();
  });

  test('is complete after a full refresh and stores no file twice', async () => {
    await refresh();
    expect(await foundTitles('gravel')).toEqual(titles());
    const held = await db.packFiles.toArray();
    expect(held.map(({ kind }) => kind)).toEqual(['index', 'index', 'index']);
    await expectConsistent();
  });

  test('contains the changes since its segments', async () => {
    server.change([{ id: 8, title: 'House number 8' }], [2]);
    await refresh();
    expect(await foundTitles()).toEqual(titles());
  });

  test('resumes after a broken connection at any request', async () => {
    for (let broken = 1; broken <= 9; broken += 1) {
      await db.delete();
      db = new DeviceDatabase(db.name);
      await addScopeRow(db, SCOPE);
      const before = server.requestedPaths.length;
      server.fault = async () => {
        if (server.requestedPaths.length - before >= broken) throw new TypeError('Failed to fetch');
        return undefined;
      };
      const hasBroken = await refresh().then(
        () => false,
        () => true,
      );
      server.fault = async () => undefined;
      await reopen();
      await expectConsistent();
      const first = server.filesAsked.length;
      if (hasBroken) await refresh();
      expect(await foundTitles('gravel')).toEqual(titles());
      const files = server.filesAsked.slice(first);
      expect(new Set(files).size).toBe(files.length);
    }
  });
});

test('a complete state needs no downloaded bytes any more, and those of other states stay', async () => {
  const row = { file: 'api/sync/segments/x', at: 0, etag: '"1"', bytes: new ArrayBuffer(1) };
  await db.downloads.bulkPut([SCOPE, 'delhi'].map((scope) => ({ ...row, scope })));
  await refresh();
  expect((await db.downloads.toArray()).map(({ scope }) => scope)).toEqual(['delhi']);
});

describe('with a CDN', () => {
  const CDN = 'https://cdn.example';
  const titles = HOUSES.map(({ title }) => title);
  const cdnRequests = () => server.requestedPaths.filter((path) => path.startsWith(CDN));
  beforeEach(() => {
    server.assetOrigin = CDN;
  });

  test('segments come from there, manifests and deltas from the server', async () => {
    await refresh();
    expect(await foundTitles()).toEqual(titles);
    expect(server.filesAsked).toEqual([]);
    expect(cdnRequests()).toHaveLength(6);
    expect(server.requestedPaths.filter((path) => path.endsWith('/delta'))).not.toEqual([]);
  });

  test.each<[string, (answer: () => Promise<Response>) => Promise<Response>]>([
    ['is not reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['refuses', async () => new Response('', { status: 503 })],
    ['sends a page instead of the file', async () => new Response('<h1>Sign in</h1>')],
    ['sends half of the file', async (answer) => new Response((await (await answer()).text()).slice(0, 99))],
  ])('that %s the server is asked for the segments', async (_how, spoil) => {
    server.fault = async (path, answer) => (path.startsWith(CDN) ? spoil(answer) : undefined);
    await refresh();
    expect(await foundTitles()).toEqual(titles);
    // It is passed over until the next manifest.
    expect(cdnRequests()).toHaveLength(1);
    expect(server.filesAsked).toHaveLength(6);
  });
});

describe('a tab killed between any two steps', () => {
  /** Kills the refresh at its n-th event, checks, and lets the next start finish. False without an n-th event. */
  async function killAt(event: number, allowed: (string[] | undefined)[]): Promise<boolean> {
    let events = 0;
    const kill = () => {
      events += 1;
      if (events >= event) throw new Error('killed');
    };
    server.fault = async () => {
      kill();
      return undefined;
    };
    const error = await refresh(kill).catch((thrown: unknown) => thrown);
    server.fault = async () => undefined;
    await reopen();
    await expectConsistent();
    expect(allowed).toContainEqual(await foundTitles());
    if (!error) return false;
    await refresh();
    await refresh();
    await expectConsistent();
    expect(await foundTitles('gravel')).toEqual(titles());
    return true;
  }

  test('leaves no first pack or all of its tenders', async () => {
    for (let event = 1; await killAt(event, [undefined, titles()]); event += 1) {
      await db.delete();
      db = new DeviceDatabase(db.name);
      await addScopeRow(db, SCOPE);
    }
  });

  test('leaves the pack before or after a change', async () => {
    await refresh();
    let number = 10;
    for (let event = 1; ; event += 1) {
      const before = titles();
      number += 1;
      server.change([{ id: number, title: `House number ${number}`, words: 'gravel' }]);
      if (!(await killAt(event, [before, titles()]))) break;
    }
  });

  test('leaves the old pack or the new one after a reset', async () => {
    await refresh();
    for (let event = 1; ; event += 1) {
      const before = titles();
      server.restart(HOUSES.slice(event % 3).map((each) => ({ ...each, title: `${each.title} of ${event}` })));
      if (!(await killAt(event, [before, titles()]))) break;
    }
  });
});

describe('changes', () => {
  test('are merged, and the newest row of a tender counts', async () => {
    await refresh();
    server.change([{ id: 1, title: 'Bridge one' }], [7]);
    server.change([
      { id: 1, title: 'Bridge two' },
      { id: 9, title: 'House number 9' },
    ]);
    await refresh();
    expect(await foundTitles()).toEqual(titles());
    server.change([{ id: 7, title: 'House number 7 again' }], [9]);
    await refresh();
    expect(await foundTitles()).toEqual(titles());
    expect(await foundTitles('house 7')).toEqual(['House number 7 again']);
  });

  test('bring the time of the last comparison with the portal', async () => {
    await refresh();
    server.checkedAt = '2026-11-10T10:10:00.000Z';
    server.change([{ id: 1, title: 'Bridge one' }]);
    await refresh();
    expect((await db.scopes.get(SCOPE))?.current?.checked).toEqual({ hptenders: '2026-11-10T10:10:00.000Z' });
  });

  test('cost one small call when there are none', async () => {
    await refresh();
    const before = server.requestedPaths.length;
    await db.scopes.update(SCOPE, { savedAt: 0 });
    await refresh();
    expect(server.requestedPaths.slice(before)).toEqual([`/api/sync/${SCOPE}/delta`]);
    expect((await db.scopes.get(SCOPE))?.savedAt).toBeGreaterThan(Date.now() - 60_000);
  });

  test('are asked for with their number from which new segments cost less: half of the tenders in all', async () => {
    await refresh();
    const limits: (string | null)[] = [];
    vi.stubGlobal('fetch', (request: Request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.endsWith('/delta')) limits.push(searchParams.get('max'));
      return server.fetch(request);
    });
    server.change([{ id: 1, title: 'Bridge one' }]);
    server.change([{ id: 2, title: 'Bridge two' }]);
    await refresh();
    // Only the first page can be refused.
    expect(limits).toEqual(['3', null]);
    await refresh();
    expect(limits.slice(2)).toEqual(['1']);
  });

  test('that are many come as a delta or as new segments, never as both', async () => {
    await refresh();
    server.change([1, 2, 3, 4].map((id) => ({ id, title: `House number ${id}, repaired` })));
    server.requestedPaths.length = 0;
    await refresh();
    expect(server.filesAsked).toEqual([]);
    expect((await db.scopes.get(SCOPE))?.changed).toBe(4);

    server.compact();
    server.change([{ id: 9, title: 'House number 9' }]);
    server.requestedPaths.length = 0;
    await refresh();
    expect(server.requestedPaths[0]).toBe(`/api/sync/${SCOPE}`);
    // The third segment is the same as before.
    expect(server.filesAsked).toHaveLength(4);
    // The new segments are followed by their own changes only.
    expect((await db.scopes.get(SCOPE))?.changed).toBe(1);
    expect(await foundTitles()).toEqual(titles());
    await expectConsistent();
  });
});

test('changes of another epoch are not applied to the pack', async () => {
  await refresh();
  const before = titles();
  server.change([{ id: 8, title: 'House number 8' }]);
  server.fault = async (path, answer) => {
    if (!path.endsWith('/delta')) throw new TypeError('Failed to fetch');
    return Response.json({ ...(await (await answer()).json()), epoch: 'of another database' });
  };
  await expect(refresh()).rejects.toThrow();
  expect(await foundTitles()).toEqual(before);
});

describe('deltas with differences from stored details', () => {
  const DOCUMENT_NAME = 'A declaration that the bidder owns a road roller and a batching plant';
  const asked = () => server.deltas.map(({ withDetails }) => withDetails);

  test('are requested only when all details are stored', async () => {
    server.change([{ id: 8, title: 'House number 8' }]);
    await refresh();
    expect(asked()).toEqual([false]);
    server.change([{ id: 9, title: 'House number 9' }]);
    await refresh();
    expect(asked()).toEqual([false, true]);
  });

  test('are completed from a segment or an earlier change', async () => {
    server.restart([...HOUSES, { id: 8, title: 'House number 8', documentName: DOCUMENT_NAME }]);
    await refresh();
    server.change([{ id: 9, title: 'House number 9', documentName: DOCUMENT_NAME }]);
    await refresh();
    server.change([{ id: 8, title: 'House number 8', documentName: 'Another declaration' }]);
    await refresh();
    server.change([{ id: 10, title: 'House number 10', documentName: DOCUMENT_NAME }]);
    server.change([{ id: 11, title: 'House number 11', documentName: 'Another declaration' }]);
    await refresh();
    expect(asked()).toEqual([true, true, true, true]);
    expect(await documentNames()).toEqual({
      8: 'Another declaration',
      9: DOCUMENT_NAME,
      10: DOCUMENT_NAME,
      11: 'Another declaration',
    });
  });

  test('leave the device in the same state as whole deltas', async () => {
    const tender = fc.record({
      id: fc.integer({ min: 1, max: 14 }),
      title: fc.constantFrom('Canal', 'Dam'),
      words: fc.constantFrom('', 'gravel', 'sand'),
      documentName: fc.constantFrom('', DOCUMENT_NAME, 'Another declaration', 'A third one'),
    });
    const change = fc.record({
      changed: fc.uniqueArray(tender, { selector: ({ id }) => id, maxLength: 4 }),
      removed: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { maxLength: 2 }),
      next: fc.constantFrom('refresh', 'wait', 'compact'),
    });
    let shorter = 0;
    const held = async () => ({
      found: await foundTitles(),
      documents: await documentNames(),
      row: { ...(await db.scopes.get(SCOPE)), savedAt: 0 },
      parts: await db.packFiles.toArray(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        const outcomes = [];
        for (const sendsDifferences of [true, false]) {
          await db.delete();
          db = new DeviceDatabase(db.name);
          await addScopeRow(db, SCOPE);
          server = new TestServer([...HOUSES, { id: 8, title: 'House number 8', documentName: DOCUMENT_NAME }]);
          server.sendsDifferences = sendsDifferences;
          vi.stubGlobal('fetch', server.fetch);
          await refresh();
          for (const { changed, removed, next } of changes) {
            server.change(
              changed,
              removed.filter((id) => !changed.some((each) => each.id === id)),
            );
            if (next !== 'wait') await refresh();
            if (next === 'compact') server.compact();
          }
          await refresh();
          expect(await foundTitles()).toEqual(titles());
          expect(asked()).not.toContain(false);
          outcomes.push({ held: await held(), bytes: server.deltas.reduce((sum, { bytes }) => sum + bytes, 0) });
        }
        const [alike, whole] = outcomes;
        expect(alike?.held).toStrictEqual(whole?.held);
        if ((alike?.bytes ?? 0) < (whole?.bytes ?? 0)) shorter += 1;
      }),
      { numRuns: 16 },
    );
    expect(shorter).toBeGreaterThan(6);
  });

  test('are requested as whole deltas when they refer to a tender that is not stored', async () => {
    await refresh();
    server.stray = { id: 99, title: 'Elsewhere' };
    server.change([{ id: 8, title: 'House number 8' }]);
    await refresh();
    expect(asked()).toEqual([true, false]);
    expect(await foundTitles()).toEqual(titles());
  });

  test('are requested as whole deltas when the stored details are unreadable', async () => {
    await refresh();
    await db.packFiles.toCollection().modify((part) => {
      if (part.kind === 'index') part.index = new Blob([new ArrayBuffer(64)]);
    });
    server.change([{ id: 8, title: 'House number 8' }]);
    await refresh();
    expect(asked()).toEqual([true, false]);
    expect((await readMergedDelta(db, SCOPE))?.list.title).toEqual(['House number 8']);
  });
});

describe('the old pack stays', () => {
  test('until the pack after a reset is complete', async () => {
    await refresh();
    const before = titles();
    server.restart([
      { id: 21, title: 'Canal' },
      { id: 22, title: 'Dam' },
    ]);
    server.fault = async (path) => {
      if (path.includes('segments') && server.filesAsked.length >= 8) throw new TypeError('Failed to fetch');
      return undefined;
    };
    await expect(refresh()).rejects.toThrow();
    expect(await foundTitles()).toEqual(before);
    server.fault = async () => undefined;
    await refresh();
    expect(await foundTitles()).toEqual(['Canal', 'Dam']);
    await expectConsistent();
  });

  test('with its changes until a reset, after which none of them is left', async () => {
    await refresh();
    server.change([{ id: 1, title: 'Bridge' }], [7]);
    await refresh();
    server.restart(HOUSES);
    await refresh();
    expect(await foundTitles()).toEqual(titles());
    await expectConsistent();
  });

  test.each<[string, () => Promise<Response>]>([
    ['the server fails', async () => Response.json({ message: 'Server error occurred' }, { status: 500 })],
    ['a proxy answers with a page', async () => new Response('<p>Sign in</p>')],
    ['nothing answers', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('with its age when %s', async (_what, answer) => {
    await refresh();
    const before = await db.scopes.get(SCOPE);
    server.change([{ id: 8, title: 'House number 8' }]);
    server.fault = answer;
    await expect(refresh()).rejects.toThrow();
    expect(await db.scopes.get(SCOPE)).toEqual(before);
    expect(await foundTitles('gravel')).toHaveLength(7);
  });

  test('with its age when the server uses another schema version', async () => {
    await refresh();
    const before = await db.scopes.get(SCOPE);
    server.schema = 2;
    server.change([{ id: 8, title: 'House number 8' }]);
    await expect(refresh()).rejects.toBeInstanceOf(SchemaMismatchError);
    expect(await db.scopes.get(SCOPE)).toEqual(before);
  });
});

describe('a broken file', () => {
  const broken: [string, (bytes: ArrayBuffer) => BodyInit][] = [
    ['with one byte changed', (bytes) => new Uint8Array(bytes).map((byte, at) => (at === 40 ? byte ^ 1 : byte))],
    ['with more at its end', (bytes) => Uint8Array.of(...new Uint8Array(bytes), 32)],
    ['of something else', () => '<p>Sign in</p>'.repeat(500)],
  ];

  test.each<[string, (bytes: ArrayBuffer) => BodyInit]>([
    ['cut short', (bytes) => bytes.slice(0, bytes.byteLength - 9)],
    ['empty', () => ''],
  ])('%s is never shown, and the next refresh continues', async (_name, spoil) => {
    server.fault = async (path, answer) =>
      path.includes('segments') ? new Response(spoil(await (await answer()).arrayBuffer())) : undefined;
    await expect(refresh()).rejects.toThrow('came in part');
    expect(await foundTitles()).toBeUndefined();
    expect(await db.packFiles.count()).toBe(0);
    server.fault = async () => undefined;
    await refresh();
    expect(await foundTitles('gravel')).toEqual(titles());
  });

  test.each(broken)('%s is fetched once more', async (_name, spoil) => {
    let isFirst = true;
    server.fault = async (path, answer) => {
      if (!isFirst || !path.includes('segments')) return undefined;
      isFirst = false;
      return new Response(spoil(await (await answer()).arrayBuffer()));
    };
    await refresh();
    expect(server.filesAsked).toHaveLength(7);
    expect(await foundTitles('gravel')).toEqual(titles());
  });

  test.each(broken)('%s is never shown after repeated fetches', async (_name, spoil) => {
    server.fault = async (path, answer) =>
      path.includes('segments') ? new Response(spoil(await (await answer()).arrayBuffer())) : undefined;
    await expect(refresh()).rejects.toBeInstanceOf(CorruptPackFileError);
    expect(await foundTitles()).toBeUndefined();
    expect(await db.packFiles.count()).toBe(0);
    expect(server.filesAsked).toHaveLength(2);
  });

  test('that is long is fetched again from its start, although its bytes are stored', async () => {
    const names = HOUSES.map(({ title }) => `${title}${' of stone'.repeat(600)}`);
    server = new TestServer(names.map((title, at) => ({ id: at + 1, title, words: 'gravel' })));
    let isFirst = true;
    vi.stubGlobal('fetch', async (request: Request) => {
      const answer = await server.fetch(request);
      const { pathname, searchParams } = new URL(request.url, 'http://localhost');
      if (!pathname.includes('segments')) return answer;
      const bytes = new Uint8Array(await answer.arrayBuffer());
      if (isFirst) bytes.fill(0x20, 40, 50);
      isFirst = false;
      // The server sends the rest of a file like this.
      const from = searchParams.get('of') === `"${pathname}"` ? Number(searchParams.get('from')) : 0;
      return new Response(bytes.subarray(from), { headers: { etag: `"${pathname}"`, 'x-file-offset': `${from}` } });
    });
    await refresh();
    expect(await foundTitles('gravel')).toEqual(names.toSorted());
  });
});

describe('of two tabs that refresh one scope', () => {
  let other: DeviceDatabase;
  beforeEach(async () => {
    await refresh();
    other = await new DeviceDatabase(db.name).open().then((opened) => opened as DeviceDatabase);
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  });
  afterEach(() => {
    vi.useRealTimers();
    other.close();
  });

  /** Delays one response to a path that contains `words`, after `passed` others, until it is released. */
  function holdBack(words: string, passed = 0) {
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let count = 0;
    server.fault = async (path, answer) => {
      if (!path.includes(words) || count++ !== passed) return undefined;
      const response = await answer();
      held.resolve();
      await promise;
      return response;
    };
    return { letGo, isHeld: held.promise };
  }

  /** The slower tab ends after the faster one. The faster tab's result must stay. */
  async function expectFasterStays(held: ReturnType<typeof holdBack>, duringFetch: () => void): Promise<void> {
    const slower = refreshScope(SCOPE, { ...tools(), db: other });
    await held.isHeld;
    duringFetch();
    vi.setSystemTime(NOW.getTime() + 60_000);
    await refresh();
    const left = await db.scopes.get(SCOPE);
    expect(await foundTitles()).toEqual(titles());
    vi.setSystemTime(NOW.getTime() + 120_000);
    held.letGo();
    await slower;
    expect(await foundTitles()).toEqual(titles());
    const { files: _now, ...row } = (await db.scopes.get(SCOPE)) ?? { files: {} };
    const { files: _before, ...rowBefore } = left ?? { files: {} };
    expect(row).toEqual(rowBefore);
    await expectConsistent();
  }

  test('the slower one does not revert changes', async () => {
    server.change([{ id: 8, title: 'House number 8' }]);
    await expectFasterStays(holdBack('/delta'), () => server.change([{ id: 9, title: 'House number 9' }], [1]));
  });

  test('the slower one does not confirm a pack with another cursor', async () => {
    await expectFasterStays(holdBack('/delta'), () => server.change([{ id: 9, title: 'House number 9' }], [1]));
  });

  test('the slower one does not replace a newer pack with an older plan', async () => {
    server.restart([...HOUSES, { id: 8, title: 'House number 8' }]);
    // The first delta's answer is a reset.
    await expectFasterStays(holdBack('/delta', 1), () => {
      server.change([{ id: 9, title: 'House number 9' }]);
      server.compact();
    });
  });
});

test('a scope that is removed during its fetch does not come back', async () => {
  server.fault = async (path) => {
    if (path.includes('segments')) await db.scopes.delete(SCOPE);
    return undefined;
  };
  await expect(refresh()).rejects.toThrow();
  expect(await db.packFiles.count()).toBe(0);
  expect(await db.scopes.count()).toBe(0);
});

test('All India takes the place of the saved states once it is complete', async () => {
  await refresh();
  await addScopeRow(db, 'india');
  const scopes = () => db.scopes.toCollection().primaryKeys();
  const refreshIndia = (isBroken: boolean) => {
    server.fault = async (path) => {
      if (isBroken && path.includes('segments')) throw new TypeError('Failed to fetch');
      // The test server has one scope.
      return path === '/api/sync/india' ? server.fetch(`/api/sync/${SCOPE}`) : undefined;
    };
    return refreshScope('india', tools());
  };
  await expect(refreshIndia(true)).rejects.toThrow();
  expect(await scopes()).toEqual([SCOPE, 'india']);
  await refreshIndia(false);
  expect(await scopes()).toEqual(['india']);
  await expectConsistent();
});
