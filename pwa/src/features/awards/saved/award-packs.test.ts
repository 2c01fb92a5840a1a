// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { packOffices } from '@nivida/contract/awards/award-pack';
import type { AwardWorksPack, OfficeAwards, OfficeReference } from '@nivida/contract/awards/awards';
import type { Tender } from '@nivida/contract/tenders/tender';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { DeviceDatabase, type OfflinePack } from '../../../data/device/schema.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { refreshAwardPacks, savedOfficeById, savedSimilarWorks, savedTenderOffice } from './award-packs.ts';

const HIDDEN = { isShown: false, reason: 'too-few', officeAwards: 3, changedOn: null } as const;

function statisticsOf(id: string, key: string, kind: OfficeReference['kind'] = 'chain'): OfficeAwards {
  return {
    office: { id, key, name: key, kind, department: 'PWD', state: 'Assam' },
    awards: 3,
    firstKnownOn: '2026-01-01',
    lastKnownOn: '2026-10-01',
    isOld: false,
    bidders: HIDDEN,
    price: HIDDEN,
    daysToContract: HIDDEN,
    masses: [],
    refused: null,
    singleBid: null,
    lateBids: null,
    computedOn: '2026-11-09',
    isDemonstration: false,
  };
}

const BIDDERS = {
  isShown: true,
  basis: 'department',
  awards: 40,
  officeAwards: 0,
  low: 2,
  high: 5,
  coverage: { count: 90, of: 100 },
} as const;
const TOO_WIDE = { ...HIDDEN, reason: 'too-wide', officeAwards: 12 } as const;
const OFFICES = [
  { ...statisticsOf('1f9bdfe7817f', 'PWD||Mandi Division'), awards: 12, price: TOO_WIDE },
  { ...statisticsOf('c617a6e20527', 'PWD||pin:781003', 'pin'), awards: 12, price: TOO_WIDE },
  { ...statisticsOf('', 'PWD||Una Division'), awards: 9, price: TOO_WIDE },
  {
    ...statisticsOf('1294db54512f', 'PWD||', 'department'),
    awards: 0,
    firstKnownOn: null,
    bidders: BIDDERS,
    price: { ...HIDDEN, officeAwards: 0 },
  },
];
/** Mandi, and Una, which has too few awards for a row in the pack. */
const WORK_OFFICES = ['1f9bdfe7817f', 'eadc30965416'];
const WORKS: AwardWorksPack['works'] = {
  office: [0, 0, 1],
  id: ['1', '2', '3'],
  tenderId: [null, '9', null],
  title: Array.from({ length: 3 }, () => 'Retaining wall near Chandmari school'),
  estimate: [1_000_000, 1_000_000, 1_000_000],
  price: [-1_000, 0, 0],
  knownOn: ['2025-03-01', '2025-04-01', '2025-05-01'],
};

/** The server's version of the statistics, and the paths that were asked. */
let version: string;
let calls: string[];
let db: DeviceDatabase;

beforeEach(() => {
  version = '1';
  calls = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    calls.push(path);
    if (path === '/api/awards') {
      const listed = { awards: 20_000, offices: 2, lastKnownOn: '2026-10-01', isDemonstration: false, version };
      return Response.json({ states: ['Assam', 'Himachal Pradesh'].map((state) => ({ state, ...listed })) });
    }
    const state = path.split('/')[4] ?? '';
    return Response.json(
      path.endsWith('/works')
        ? { state, version, offices: WORK_OFFICES, works: WORKS }
        : { state, version, offices: 3, columns: packOffices(OFFICES) },
    );
  });
  db = new DeviceDatabase('phone');
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  await db.delete();
});

const save = (scope: string, more: object = {}) => {
  const current: OfflinePack = { epoch: 'e', rows: 0, segments: [], checked: {}, cursor: '1' };
  const row = { scope, current, next: null, files: {}, savedAt: 1, changed: 0, replaces: null };
  return db.scopes.put({ ...row, ...more });
};
const states = () => db.awardPacks.toCollection().primaryKeys();
const tenderOf = (organisation_chain: string[], pincode: string | null = null) =>
  ({
    _id: '9',
    state: 'Assam',
    organisation_chain,
    pincode,
    title: WORKS.title[0],
    price: 900_000,
  }) as unknown as Tender;

test('the offices of a saved state are stored once, and again when the server has another version', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  await refreshAwardPacks(db);
  expect(calls).toEqual(['/api/awards', '/api/awards/packs/Assam', '/api/awards']);
  expect(await states()).toEqual(['Assam']);
  version = '2';
  await refreshAwardPacks(db);
  expect(calls.at(-1)).toBe('/api/awards/packs/Assam');
});

test('nothing is asked without a saved state, and a paused one downloads nothing', async () => {
  await refreshAwardPacks(db);
  await save('assam', { isPaused: true });
  await refreshAwardPacks(db);
  expect(calls).toEqual([]);
});

test('a state that is not changed keeps its figures, with the day and the number of the last answer', async () => {
  await save('assam');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-10T06:00:00Z') });
  try {
    await refreshAwardPacks(db);
    const row = await db.awardPacks.get('Assam');
    expect(row).toMatchObject({ version: '1', awards: 20_000, savedAt: Date.now(), works: null });
    expect(row?.bytes).toBeGreaterThan(100);
    await db.awardPacks.update('Assam', { awards: 1 });
    vi.setSystemTime(Date.now() + 60_000);
    await refreshAwardPacks(db);
    expect(await db.awardPacks.get('Assam')).toEqual({ ...row, savedAt: Date.now() });
  } finally {
    vi.useRealTimers();
  }
});

test('a paused state keeps its awards, and another one is not downloaded for it', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  await save('assam', { isPaused: true });
  await save('himachal-pradesh', { current: null });
  version = '2';
  calls = [];
  await refreshAwardPacks(db);
  expect([calls, await states(), (await db.awardPacks.get('Assam'))?.version]).toEqual([[], ['Assam'], '1']);
});

test('All India keeps the awards of all states, one state only its own', async () => {
  await save('india');
  await refreshAwardPacks(db);
  await db.scopes.delete('india');
  await save('himachal-pradesh');
  await refreshAwardPacks(db);
  expect(await states()).toEqual(['Himachal Pradesh']);
  expect(await db.awardFiles.toCollection().primaryKeys()).toEqual([['Himachal Pradesh', 'offices']]);
});

test('figures whose newest award is older than a year are old', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  const isOldAt = async (at: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) });
    const saved = await savedTenderOffice(db, tenderOf(['PWD', 'Mandi Division'])).finally(() => vi.useRealTimers());
    return saved?.statistics.isOld;
  };
  expect([await isOldAt('2027-10-01T00:00:00Z'), await isOldAt('2027-10-01T00:00:01Z')]).toEqual([false, true]);
});

test('All India stores the offices of all states with awards', async () => {
  await save('india');
  await refreshAwardPacks(db);
  expect(await states()).toEqual(['Assam', 'Himachal Pradesh']);
});

test('the awards of a state go with its pack', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  await db.awardPacks.update('Assam', { works: 'wanted' });
  await refreshAwardPacks(db);
  await db.scopes.delete('assam');
  await refreshAwardPacks(db);
  expect([await states(), await db.awardFiles.count()]).toEqual([[], 0]);
});

test('a tender finds its office by chain or PIN, else its department', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  const idOf = async (tender: Tender) => (await savedTenderOffice(db, tender))?.statistics.office.id;
  expect(await idOf(tenderOf(['PWD', 'Mandi Division']))).toBe('1f9bdfe7817f');
  expect(await idOf(tenderOf(['PWD'], '781003'))).toBe('c617a6e20527');
  const small = (await savedTenderOffice(db, tenderOf(['PWD', 'Una Division'])))?.statistics;
  expect(small).toMatchObject({
    office: { id: '1294db54512f', kind: 'department' },
    bidders: { ...BIDDERS, officeAwards: null },
    price: { reason: 'too-few', officeAwards: null },
    daysToContract: { reason: 'too-few', officeAwards: null },
  });
  expect(await savedTenderOffice(db, { ...tenderOf(['PWD', 'Mandi Division']), state: 'Goa' })).toBeNull();
  expect(await savedTenderOffice(db, tenderOf([]))).toBeNull();
  expect(await idOf(tenderOf(['Forest']))).toBeUndefined();
  expect((await savedOfficeById(db, 'c617a6e20527'))?.statistics.office.key).toBe('PWD||pin:781003');
  expect(await savedOfficeById(db, '00000000000d')).toBeNull();
});

test('similar works are found among the past works that the user wanted, without the tender itself', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  const tender = tenderOf(['PWD', 'Mandi Division']);
  expect(await savedSimilarWorks(db, tender)).toBeNull();
  await db.awardPacks.update('Assam', { works: 'wanted' });
  await refreshAwardPacks(db);
  expect(calls.at(-1)).toBe('/api/awards/packs/Assam/works');
  expect((await savedSimilarWorks(db, tender))?.works).toEqual([
    {
      id: '1',
      title: 'Retaining wall near Chandmari school',
      estimate: 1_000_000,
      price: -1_000,
      knownOn: '2025-03-01',
      likeness: 'let-before',
    },
  ]);
  const ofUna = await savedSimilarWorks(db, tenderOf(['PWD', 'Una Division']));
  expect(ofUna?.works.map(({ id }) => id)).toEqual(['3']);
  const all = await savedSimilarWorks(db, { ...tender, _id: '10' });
  expect(all?.works.map(({ id }) => id)).toEqual(['2', '1']);
  expect((await savedSimilarWorks(db, tenderOf(['PWD', 'Kullu Division'])))?.works).toEqual([]);
  expect((await savedSimilarWorks(db, tenderOf([])))?.works).toEqual([]);
  expect(await savedSimilarWorks(db, { ...tender, state: 'Goa' })).toBeNull();
});

describe('the past works of a state', () => {
  const DAY = 86_400_000;
  const START = Date.parse('2026-11-10T06:00:00Z');
  const at = (time: number) => vi.setSystemTime(time);
  const worksOf = async () => (await db.awardPacks.get('Assam'))?.works;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    await save('assam');
    await refreshAwardPacks(db);
    await db.awardPacks.update('Assam', { works: 'wanted' });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('stay when its offices are replaced, and are replaced after two weeks', async () => {
    await refreshAwardPacks(db);
    expect(await worksOf()).toMatchObject({ version: '1', savedAt: START });
    version = '2';
    at(START + 14 * DAY);
    calls = [];
    await refreshAwardPacks(db);
    expect(calls).toEqual(['/api/awards', '/api/awards/packs/Assam']);
    expect(await worksOf()).toMatchObject({ version: '1' });
    at(START + 14 * DAY + 1);
    await refreshAwardPacks(db);
    expect(calls.slice(2)).toEqual(['/api/awards', '/api/awards/packs/Assam/works']);
    expect(await worksOf()).toMatchObject({ version: '2', savedAt: START + 14 * DAY + 1 });
  });

  test('are shown with figures as old as the last answer of the server', async () => {
    at(START + DAY);
    await refreshAwardPacks(db);
    expect((await savedTenderOffice(db, tenderOf(['PWD', 'Mandi Division'])))?.savedAt).toEqual(new Date(START + DAY));
  });

  test('that the user no longer wants are not stored when they arrive', async () => {
    const server = globalThis.fetch;
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.url.endsWith('/works')) await db.awardPacks.update('Assam', { works: null });
      return server(request);
    });
    await refreshAwardPacks(db);
    expect([await worksOf(), await db.awardFiles.count()]).toEqual([null, 1]);
  });
});

describe('on a full phone', () => {
  const MB = 1_000_000;
  const START = Date.parse('2026-11-10T06:00:00Z');
  const OFFICES_PATH = '/api/awards/packs/Assam';
  const WORKS_PATH = `${OFFICES_PATH}/works`;
  let used: number;
  /** So many writes find no room. */
  let failures: number;
  const downloads = () => calls.filter((path) => path !== '/api/awards');

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START });
    used = 50 * MB;
    failures = Number.POSITIVE_INFINITY;
    const estimate = async () => ({ usage: used, quota: 50 * MB });
    Object.defineProperty(navigator, 'storage', { value: { estimate }, configurable: true });
    const put = db.awardFiles.put.bind(db.awardFiles);
    vi.spyOn(db.awardFiles, 'put').mockImplementation((file) => {
      failures -= 1;
      if (failures >= 0) throw new DOMException('full', 'QuotaExceededError');
      return put(file);
    });
    await save('assam', { files: { 'index 1': 8 } });
  });
  afterEach(() => {
    vi.useRealTimers();
    Reflect.deleteProperty(navigator, 'storage');
  });

  test('the offices are downloaded once a day, or when room was made or the server has another version', async () => {
    for (const [after, path] of [
      [0, [OFFICES_PATH]],
      [60_000, []],
      [86_400_000 - 1, []],
      [86_400_000, [OFFICES_PATH]],
    ] as const) {
      calls = [];
      vi.setSystemTime(START + after);
      await refreshAwardPacks(db);
      expect([after, downloads()]).toEqual([after, path]);
    }
    used -= MB;
    await refreshAwardPacks(db);
    expect(downloads()).toEqual([OFFICES_PATH, OFFICES_PATH]);
    version = '2';
    await refreshAwardPacks(db);
    expect(downloads()).toHaveLength(3);
    await refreshAwardPacks(db);
    expect(downloads()).toHaveLength(3);
    failures = 0;
    used -= MB;
    await refreshAwardPacks(db);
    expect(await states()).toEqual(['Assam']);
  });

  test('past works that the user asked for take the place of another pack, and newer ones do not', async () => {
    failures = 0;
    await refreshAwardPacks(db);
    await save('delhi', { files: { 'index 1': 9 } });
    await save('goa', { files: { 'index 1': 8 } });
    failures = 1;
    await db.awardPacks.update('Assam', { works: 'wanted' });
    await refreshAwardPacks(db);
    expect(await db.scopes.toCollection().primaryKeys()).toEqual(['assam', 'goa']);
    expect((await db.awardPacks.get('Assam'))?.works).toMatchObject({ version: '1' });

    version = '2';
    await refreshAwardPacks(db);
    failures = Number.POSITIVE_INFINITY;
    vi.setSystemTime(START + 15 * 86_400_000);
    calls = [];
    await refreshAwardPacks(db);
    await refreshAwardPacks(db);
    expect(downloads()).toEqual([WORKS_PATH]);
    expect(await db.scopes.toCollection().primaryKeys()).toEqual(['assam', 'goa']);
  });

  test('past works for which nothing can make room are not downloaded at each sync', async () => {
    failures = 0;
    await refreshAwardPacks(db);
    failures = Number.POSITIVE_INFINITY;
    await db.awardPacks.update('Assam', { works: 'wanted' });
    calls = [];
    await refreshAwardPacks(db);
    await refreshAwardPacks(db);
    expect(downloads()).toEqual([WORKS_PATH]);
    expect(await db.scopes.toCollection().primaryKeys()).toEqual(['assam']);
  });
});

test('on Wi-Fi only nothing is downloaded on a mobile connection', async () => {
  Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' }, configurable: true });
  await writeSetting('packs on wifi only', true);
  try {
    await save('assam');
    await refreshAwardPacks(db);
    expect(calls).toEqual([]);
    await writeSetting('packs on wifi only', false);
    await refreshAwardPacks(db);
    expect(await states()).toEqual(['Assam']);
  } finally {
    Reflect.deleteProperty(navigator, 'connection');
    await withDatabase((own) => own.delete());
    await closeDatabase();
  }
});

test('the awards follow the saved states and the wanted works while the app is open', async () => {
  vi.resetModules();
  const [packs, device] = await Promise.all([import('./award-packs.ts'), import('../../../data/device/database.ts')]);
  const saved = (scope: string) => {
    const current: OfflinePack = { epoch: 'e', rows: 0, segments: [], checked: {}, cursor: '1' };
    const row = { scope, current, next: null, files: {}, savedAt: 1, changed: 0, replaces: null };
    return device.withDatabase((own) => own.scopes.put(row));
  };
  const packOf = (state: string) => `/api/awards/packs/${state}`;
  try {
    await saved('assam');
    await packs.syncAwardPacks();
    expect(calls).toContain(packOf('Assam'));
    await saved('himachal-pradesh');
    await expect.poll(() => calls).toContain(packOf('Himachal Pradesh'));
    await device.withDatabase((own) => own.awardPacks.update('Assam', { works: 'wanted' }));
    await expect.poll(() => calls).toContain(`${packOf('Assam')}/works`);
    await device.withDatabase((own) => own.scopes.delete('assam'));
    const stored = () => device.withDatabase((own) => own.awardPacks.toCollection().primaryKeys());
    await expect.poll(stored).toEqual(['Himachal Pradesh']);
  } finally {
    await device.withDatabase((own) => own.delete());
    await device.closeDatabase();
    vi.resetModules();
  }
});

test('a pack of an earlier format shows nothing until it is replaced', async () => {
  await save('assam');
  await refreshAwardPacks(db);
  const columns = { 'office.key': ['PWD||Mandi Division'], awards: [12] };
  await db.awardFiles.put({
    state: 'Assam',
    kind: 'offices',
    pack: { state: 'Assam', version: '0', offices: 1, columns },
  });
  await db.awardPacks.update('Assam', { version: '0' });
  expect(await savedTenderOffice(db, tenderOf(['PWD', 'Mandi Division']))).toBeNull();
  await refreshAwardPacks(db);
  expect(await savedTenderOffice(db, tenderOf(['PWD', 'Mandi Division']))).not.toBeNull();
});
