import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Rejection, type SourceRow, type SourceTender, UnreadableFileError } from '../source-tender.ts';
import { readOcds } from './ocds.ts';

const SHARED = join(import.meta.dirname, '../../../../../shared');
const DATA = join(SHARED, 'data/ocds');
const EXAMPLES = [
  'fictional-1.1.json',
  'record-package_package_1.1.json',
  'record-package_versioned.json',
  'release-package-1.json',
  'release-package-1-2.json',
  'release-package-2.json',
];
const withData = describe.skipIf(!existsSync(SHARED));

type Json = Record<string, unknown>;

const release = (changes: Json = {}): Json => ({
  ocid: 'ocds-a1b2c3-0001',
  id: '1',
  date: '2026-04-01T10:00:00+05:30',
  tag: ['tender'],
  initiationType: 'tender',
  parties: [
    {
      id: 'IN-HP-PWD',
      name: 'Public Works Department',
      roles: ['buyer'],
      address: { streetAddress: 'US Club', locality: 'Shimla', region: 'Himachal Pradesh', postalCode: '171001' },
    },
  ],
  buyer: { id: 'IN-HP-PWD', name: 'Public Works Department' },
  tender: tender(),
  ...changes,
});

function tender(changes: Json = {}): Json {
  return {
    id: 'NIT-7',
    title: 'Construction of a footbridge',
    description: 'Footbridge of 12 m span',
    status: 'active',
    value: { amount: 1234567.5, currency: 'INR' },
    tenderPeriod: { startDate: '2026-04-02T09:00:00+05:30', endDate: '2026-04-15T11:00:00+05:30' },
    ...changes,
  };
}

const releasePackage = (releases: unknown, changes: Json = {}): Json => ({
  uri: 'https://example.org/package',
  version: '1.1',
  publishedDate: '2026-04-01T10:00:00Z',
  publisher: { name: 'Example' },
  releases,
  ...changes,
});

const recordPackage = (...records: Json[]): Json => ({ version: '1.1', records });

const text = (...documents: unknown[]) => documents.map((document) => JSON.stringify(document)).join('\n');

async function read(content: string | Buffer, options: { portal?: string; state?: string } = {}): Promise<SourceRow[]> {
  const rows: SourceRow[] = [];
  // Small chunks split every piece somewhere.
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, n) =>
    bytes.subarray(n * 1_000, (n + 1) * 1_000),
  );
  for await (const row of readOcds(Readable.from(chunks, { objectMode: false }), {
    portal: options.portal,
    state: options.state,
  }))
    rows.push(row);
  return rows;
}

/** The texts in chunks of a megabyte, which arrive one by one as from a disk. */
function inChunks(...texts: string[]): Readable {
  async function* chunks() {
    for (const each of texts)
      for (let from = 0; from < each.length; from += 1_000_000) {
        await turn();
        yield each.slice(from, from + 1_000_000);
      }
  }
  return Readable.from(chunks(), { objectMode: false });
}

async function notice(document: unknown, options?: { portal?: string; state?: string }): Promise<SourceTender> {
  const [row] = await read(text(document), options);
  if (!row || !('tender' in row)) throw new Error(`no notice but ${JSON.stringify(row)}`);
  return row.tender;
}

async function rejection(document: unknown): Promise<Rejection> {
  const [row] = await read(text(document));
  if (!row || !('rejection' in row)) throw new Error(`no rejection but ${JSON.stringify(row)}`);
  return row.rejection;
}

async function refusal(content: string | Buffer): Promise<string> {
  const error: unknown = await read(content).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnreadableFileError);
  return (error as UnreadableFileError).message;
}

const outcome = (row: SourceRow) =>
  'tender' in row
    ? `${row.line} ${row.tender.sourceId}`
    : `${row.line} ${row.rejection.column}: ${row.rejection.reason}`;

describe('a file', () => {
  const one = release();
  const other = release({ ocid: 'ocds-a1b2c3-0002' });
  const both = ['1 ocds-a1b2c3-0001', '2 ocds-a1b2c3-0002'];
  const record = { ocid: 'ocds-a1b2c3-0001', compiledRelease: { ...one, tag: ['compiled'] } };
  const otherRecord = { ocid: 'ocds-a1b2c3-0002', releases: [other] };

  test.each<[string, string, string[]]>([
    ['a release package', text(releasePackage([one, other])), both],
    [
      'a package whose releases come first',
      text({ releases: [one, other], ...releasePackage([]), version: '1.1' }),
      [],
    ],
    ['a 1.0 package without a version', text(releasePackage([one, other], { version: undefined })), both],
    ['a record package', text(recordPackage(record, otherRecord)), both],
    ['one release', text(one), ['1 ocds-a1b2c3-0001']],
    ['one record', text(otherRecord), ['1 ocds-a1b2c3-0002']],
    ['JSON lines of releases', text(one, other), both],
    ['JSON lines of records', text(record, otherRecord), both],
    ['JSON lines of packages', text(releasePackage([one]), recordPackage(otherRecord)), both],
    ['a list of releases', text([one, other]), both],
    ['a list of packages', text([releasePackage([one]), releasePackage([other])]), both],
    ['a file with a byte-order mark', `\ufeff${text(one)}`, ['1 ocds-a1b2c3-0001']],
    ['JSON lines with a byte-order mark', `\ufeff${text(one, other)}\n`, both],
    [
      'JSON lines with Windows line ends',
      `${text(one)}\r\n\r\n${text(other)}\r\n`,
      ['1 ocds-a1b2c3-0001', '3 ocds-a1b2c3-0002'],
    ],
    ['one indented document', JSON.stringify(releasePackage([one, other]), null, 2), both],
    [
      'a package with links and lists of other packages',
      text({
        packages: ['https://example.org/1'],
        extensions: [],
        links: { next: [1] },
        ...releasePackage([one, other]),
      }),
      both,
    ],
  ])('%s is read', async (_, content, expected) => {
    expect((await read(content)).map(outcome)).toEqual(expected);
  });

  test('a package is recognised by keys after more releases than are held back', async () => {
    const releases = Array.from({ length: 1_200 }, (_, n) => release({ ocid: `ocds-a1b2c3-${n}` }));
    const rows = await read(`{"releases":${JSON.stringify(releases)},"version":"1.1"}`);
    expect(rows.map(outcome)[0]).toBe('1 ocds-a1b2c3-0');
    expect(rows.map(outcome)[1_199]).toBe('1200 ocds-a1b2c3-1199');
  });

  test('a package of any size is read, also with a long list of other packages', async () => {
    const half = 'a'.repeat(16_500_000);
    const large = JSON.stringify({ ...one, x: half });
    const rows: SourceRow[] = [];
    const content = [`{"version":"1.1","packages":["`, half, `"],"releases":[`, large, ',', large, ']}'];
    for await (const row of readOcds(inChunks(...content), { portal: undefined, state: undefined })) rows.push(row);
    expect(rows.map(outcome)).toEqual(['1 ocds-a1b2c3-0001', '2 ocds-a1b2c3-0001']);
  });

  test('JSON lines of more than 32 MB in all are read', async () => {
    const large = JSON.stringify({ ...other, x: 'a'.repeat(17_000_000) });
    const rows: SourceRow[] = [];
    const lines = [`${text(one)}\n`, `${large}\n`, large];
    for await (const row of readOcds(inChunks(...lines), { portal: undefined, state: undefined })) rows.push(row);
    expect(rows.map(outcome)).toEqual([...both, '3 ocds-a1b2c3-0002']);
  });

  test('a record is recognised by an ocid after its releases', async () => {
    const rows = await read(`{"releases":${JSON.stringify([one, one])},"ocid":"ocds-a1b2c3-0001"}`);
    expect(rows.map(outcome)).toEqual(['1 ocds-a1b2c3-0001']);
  });
});

describe('a file is refused', () => {
  const good = releasePackage([release(), release({ ocid: 'ocds-a1b2c3-0002' })]);
  const A_DATE = 'a date and time like 2026-04-15T11:00:00+05:30';
  const DATE = `date must be ${A_DATE}`;

  test.each<[string, string | Buffer, string]>([
    [
      'no readable release',
      text(releasePackage([release({ ocid: null }), 7])),
      'is no valid OCDS, release 1: ocid is missing',
    ],
    [
      'one release without a readable date',
      text(release({ date: 'yesterday' })),
      `is no valid OCDS, release 1: ${DATE}`,
    ],
    [
      'one release whose closing cannot be read',
      text(release({ tender: tender({ tenderPeriod: { endDate: 'soon' } }) })),
      `is no valid OCDS, release 1: tender.tenderPeriod.endDate must be ${A_DATE}`,
    ],
    ['releases as an object', text(releasePackage({})), 'is no valid OCDS, package 1: releases must be a list'],
    ['no releases', text(releasePackage(undefined)), 'is no valid OCDS, package 1: has neither releases nor records'],
    [
      'another version',
      text(releasePackage([], { version: '2.0' })),
      'is no valid OCDS, package 1: version must be "1.0" or "1.1"',
    ],
    [
      'a 1.0 package without publisher',
      text(releasePackage([], { version: undefined, publisher: undefined })),
      'is no valid OCDS, package 1: publisher is missing',
    ],
    [
      'a record without any ocid',
      text(recordPackage({ compiledRelease: release({ ocid: undefined }) })),
      'is no valid OCDS, record 1: compiledRelease.ocid is missing',
    ],
    [
      'a broken release in a record',
      text(recordPackage({ ocid: 'ocds-a1b2c3-0001', releases: [release(), release({ date: '' })] })),
      'is no valid OCDS, record 1: releases[1].date must not be empty',
    ],
    ['an empty file', '', 'is empty: it holds no package, record or release'],
    ['a file of spaces', ' \n', 'is empty: it holds no package, record or release'],
    ['a number', '12', 'is no OCDS: it holds something other than packages, records and releases'],
    ['another JSON', '{"tenders":[]}', 'is no valid OCDS, package 1: has neither releases nor records'],
    ['binary', Buffer.from([0x1f, 0x8b, 0, 255, 3]), 'is truncated or not JSON somewhere after its beginning'],
    ['what follows the JSON', `${text(good)} ]`, 'is truncated or not JSON somewhere after release 1'],
  ])('%s, with the position in the message', async (_, content, message) => {
    expect(await refusal(content)).toBe(message);
  });

  test('when it is truncated at any position', async () => {
    const completeFile = text(good);
    for (let bytes = 1; bytes < completeFile.length; bytes += 37)
      expect(await refusal(completeFile.slice(0, bytes))).toContain('is truncated');
    expect(await refusal(completeFile.slice(0, -30))).toBe('is truncated or not JSON somewhere after release 1');
    expect(await refusal(completeFile.slice(0, -1))).toBe('is truncated or not JSON somewhere after release 2');
  });

  test('with a release that does not fit into memory', async () => {
    const endless = Readable.from(
      (function* () {
        yield '{"version":"1.1","releases":[{"title":"';
        for (;;) yield 'a'.repeat(65_536);
      })(),
      { objectMode: false },
    );
    await expect(readOcds(endless, { portal: undefined, state: undefined }).next()).rejects.toThrow(
      'holds more than 32 MB in one piece after its beginning',
    );
  });

  test.each([
    ['releases that are held back', '{"releases":[', 'in one piece after release 1'],
    ['releases that are held back, and a list that is skipped,', '{"releases":[{}],"packages":[', 'in one piece'],
  ])('with %s that do not fit into memory together', async (_name, start, place) => {
    const half = `{"x":"${'a'.repeat(17_000_000)}"},`;
    const rows = readOcds(inChunks(start, half, half), { portal: undefined, state: undefined });
    await expect(rows.next()).rejects.toThrow(`holds more than 32 MB ${place}`);
  });

  test('with a JSON line that does not fit into memory', async () => {
    const lines = inChunks(`${text(release())}\n`, `{"x":"${'a'.repeat(33_000_000)}`);
    const reading = async () => {
      for await (const row of readOcds(lines, { portal: undefined, state: undefined }))
        expect(outcome(row)).toBe('1 ocds-a1b2c3-0001');
    };
    await expect(reading()).rejects.toThrow('holds more than 32 MB in line 2');
  });

  test('when its source fails while it is read', async () => {
    const failing = Readable.from(
      (function* () {
        yield '{"version":"1.1",';
        throw new UnreadableFileError('is truncated: the gzip data end too early');
      })(),
      { objectMode: false },
    );
    await expect(readOcds(failing, { portal: undefined, state: undefined }).next()).rejects.toThrow(
      'is truncated: the gzip data end too early',
    );
  });
});

describe('the fields of the standard', () => {
  const organisation = {
    id: '1',
    name: 'Public Works Department',
    address: {
      ...{ streetAddress: 'US Club', locality: 'Shimla', region: 'Himachal Pradesh', postalCode: '171001' },
      ...{ country: 'IN', countryName: 'India' },
    },
    contactPoint: { name: 'Executive Engineer' },
  };
  const period = { startDate: '2026-04-02T09:00:00+05:30', endDate: '2026-04-15T11:00:00+05:30', durationInDays: 13 };
  const value = { amount: 7, currency: 'INR' };
  const amendment = { id: '1', rationale: 'Date extended', description: 'By a week' };
  const full = {
    ...{
      ocid: 'ocds-a1b2c3-0001',
      id: '1',
      date: '2026-04-01T10:00:00+05:30',
      tag: ['tender'],
      initiationType: 'tender',
    },
    parties: [{ ...organisation, roles: ['buyer'] }],
    buyer: organisation,
    tender: {
      ...{
        id: 'NIT-7',
        title: 'Footbridge',
        description: 'Of 12 m span',
        status: 'active',
        procuringEntity: organisation,
      },
      items: [
        {
          ...{ id: '1', description: 'Steel', quantity: 2, unit: { name: 'tonne' } },
          ...{ classification: { description: 'Metals' }, deliveryAddresses: [organisation.address] },
          deliveryAddress: organisation.address,
        },
      ],
      ...{
        value,
        deliveryAddresses: [organisation.address],
        procurementMethod: 'open',
        mainProcurementCategory: 'works',
      },
      ...{ procurementMethodDetails: 'Open', datePublished: '2026-04-01T10:00:00+05:30', tenderPeriod: period },
      ...{ enquiryPeriod: period, awardPeriod: period, contractPeriod: period },
      documents: [
        { id: '1', documentType: 'tenderNotice', title: 'NIT', url: 'https://example.org/1', format: 'text/plain' },
      ],
      milestones: [{ id: '1', type: 'preBidMeeting', title: 'Pre-bid', dueDate: '2026-04-08T15:00:00+05:30' }],
      ...{ amendments: [amendment], amendment },
      bidOpening: { date: '2026-04-16T11:00:00+05:30', address: organisation.address },
      participationFees: [{ type: 'document', value }],
      ...{ numberOfTenderers: 1, tenderers: [organisation] },
    },
    awards: [{ id: '1', status: 'active', date: '2026-05-01T10:00:00+05:30', value, suppliers: [organisation] }],
    bids: { details: [{ status: 'valid', date: '2026-04-14T10:00:00+05:30', tenderers: [organisation] }] },
  };

  type Place = { of: Record<string, unknown>; key: string; path: string };
  function* places(of: Record<string, unknown>, within = ''): Generator<Place> {
    for (const [key, inner] of Object.entries(of)) {
      const path = within === '' ? key : `${within}.${key}`;
      yield { of, key, path };
      if (typeof inner === 'object' && inner !== null) yield* places(inner as Record<string, unknown>, path);
    }
  }

  /** The paths, without positions in lists, of which a file is refused when each alone is changed so. */
  async function refusedPaths(change: (place: Place) => void): Promise<string[]> {
    const refused: string[] = [];
    const count = [...places(full)].length;
    for (let nth = 0; nth < count; nth++) {
      // Not structuredClone: each organisation is an object of its own.
      const changed = JSON.parse(text(full));
      const place = [...places(changed)][nth] as Place;
      change(place);
      const error: unknown = await read(text(changed)).then(
        () => null,
        (thrown) => thrown,
      );
      if (error) refused.push(place.path.replace(/\.0/g, ''));
    }
    return refused;
  }
  // Addresses, periods and values occur several times.
  const distinct = (paths: string[]) => [...new Set(paths)].sort();

  test('may be absent, but for the ocid and the date of the release', async () => {
    const isRefused = ({ of, key }: Place) => {
      if (!Array.isArray(of)) delete of[key];
    };
    expect(distinct(await refusedPaths(isRefused))).toEqual(['date', 'ocid']);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', '?'],
    ['a number', -1.5],
    ['a list', [[]]],
    ['an object', { x: 1 }],
  ])('may be %s, and the release is read without them, but for what decides', async (_, value) => {
    const refused = await refusedPaths(({ of, key }) => Object.assign(of, { [key]: value }));
    const deciding = ['date', 'ocid', 'tender', 'tender.datePublished', 'tender.tenderPeriod'];
    for (const path of refused) expect([...deciding, 'tender.tenderPeriod.endDate', 'tender.title']).toContain(path);
    expect(refused).toContain('date');
  });

  test.each<[string, string[]]>([
    ['status', ['planning', 'planned', 'active', 'complete', 'cancelled', 'unsuccessful', 'withdrawn']],
    ['procurementMethod', ['open', 'selective', 'limited', 'direct']],
    ['mainProcurementCategory', ['goods', 'services', 'works']],
  ])('%s may be any of %j', async (field, codes) => {
    for (const code of codes) expect(await read(text(release({ tender: tender({ [field]: code }) })))).toHaveLength(1);
  });

  test.each(['pending', 'active', 'cancelled', 'unsuccessful'])('an award may be %s', async (status) => {
    expect(await read(text(release({ awards: [{ id: '1', status }] })))).toHaveLength(1);
  });
});

describe('one odd release of a package', () => {
  const amounts = (amount: unknown, currency: unknown = 'INR') => ({ tender: tender({ value: { amount, currency } }) });
  const period = (endDate: string) => ({ tender: tender({ tenderPeriod: { endDate } }) });
  const closing = new Date('2026-04-15T11:00:00+05:30');

  test.each<[string, Json, Partial<SourceTender>]>([
    ['no tag', { tag: undefined }, {}],
    ['an empty list of tags', { tag: [] }, {}],
    ['a tag as text', { tag: 'Tender' }, { publishedAt: new Date('2026-04-01T10:00:00+05:30') }],
    ['a tag in capitals', { tag: ['TENDERCANCELLATION'] }, { stage: 'cancelled' }],
    ['no id', { id: undefined }, {}],
    ['another kind of process', { initiationType: 'auction' }, {}],
    ['an ocid as a number', { ocid: 77 }, { sourceId: '77' }],
    ['a date without a zone', { date: '2026-04-01T10:00:00' }, { publishedAt: new Date('2026-04-01T10:00:00+05:30') }],
    [
      'a date with a space',
      { date: '2026-04-01 10:00:00.8730413' },
      { publishedAt: new Date('2026-04-01T10:00:00.873+05:30') },
    ],
    ['a closing without a zone', period('2026-04-15T11:00:00'), { closesAt: closing }],
    ['a closing as portals write it', period('15-Apr-2026 11:00 AM'), { closesAt: closing }],
    ['a status in capitals', { tender: tender({ status: 'CANCELLED' }) }, { stage: 'cancelled' }],
    ['a status of its own for cancelled', { tender: tender({ status: 'Canceled by buyer' }) }, { stage: 'cancelled' }],
    ['a category in capitals', { tender: tender({ mainProcurementCategory: 'Works' }) }, { category: 'Works' }],
    [
      'a category of its own',
      { tender: tender({ mainProcurementCategory: 'consultingServices' }) },
      { category: 'Services' },
    ],
    ['a method in capitals', { tender: tender({ procurementMethod: 'Open' }) }, { tenderType: 'Open Tender' }],
    ['an amount as text', amounts('1500000.00'), { price: '1500000.00' }],
    ['an amount as Indians write it', amounts('₹ 15,00,000'), { price: '1500000.00' }],
    ['a currency of its own', amounts(1_500_000, 'Rs.'), { price: '1500000.00' }],
    ['a list that is null', { tender: tender({ items: null }), awards: null }, {}],
    ['an empty period', { tender: tender({ contractPeriod: {} }) }, { periodOfWorkDays: null }],
    ['days as text', { tender: tender({ contractPeriod: { durationInDays: '90' } }) }, { periodOfWorkDays: 90 }],
    [
      'ids of parties as numbers',
      { parties: [{ id: 7, name: 'PHED' }], buyer: { id: 7 } },
      { organisationChain: ['PHED'] },
    ],
    [
      'a buyer as text',
      { parties: undefined, buyer: 'Jal Shakti Vibhag' },
      { organisationChain: ['Jal Shakti Vibhag'] },
    ],
    [
      'a document without an id',
      { tender: tender({ documents: [{ title: 'NIT' }] }) },
      { documents: [{ cover: '', type: '', name: 'NIT' }] },
    ],
    ['a tender without an id', { tender: tender({ id: null }) }, { reference: null }],
    ['a number as its title', { tender: tender({ title: 77 }) }, { title: '77' }],
  ])('with %s is read', async (_, changes, expected) => {
    const rows = await read(text(releasePackage([release(), release(changes), release()])), {
      portal: 'p',
      state: 'hp',
    });
    expect(rows.map((row) => 'tender' in row)).toEqual([true, true, true]);
    expect(rows[1]).toMatchObject({ tender: expected });
    expect(rows[1]?.warnings).toBeUndefined();
  });

  test.each<[string, Json, string, Partial<SourceTender>]>([
    ['an unknown currency', amounts(7, 'rupaiya'), 'tender.value.currency', { price: null }],
    ['an amount that is none', amounts('as per NIT'), 'tender.value.amount', { price: null }],
    ['a negative amount', amounts(-5), 'tender.value.amount', { price: null }],
    ['an unknown status', { tender: tender({ status: 'open' }) }, 'tender.status', { stage: 'published' }],
    [
      'half a day',
      { tender: tender({ contractPeriod: { durationInDays: 90.5 } }) },
      'tender.contractPeriod.durationInDays',
      {},
    ],
    [
      'an odd opening',
      { tender: tender({ awardPeriod: { startDate: '0001-01-01T00:00:00Z' } }) },
      'tender.awardPeriod.startDate',
      { opensAt: null },
    ],
    [
      'an empty entry',
      { tender: tender({ documents: [null, { title: 'NIT' }] }) },
      'tender.documents',
      { documents: [{ cover: '', type: '', name: 'NIT' }] },
    ],
    ['an object as a list', { awards: { id: '1' } }, 'awards', {}],
    [
      'a negative fee',
      { tender: tender({ participationFees: [{ value: { amount: -1, currency: 'INR' } }] }) },
      'tender.participationFees.value.amount',
      { tenderFee: null },
    ],
  ])('with %s is read without it, with a warning', async (_, changes, column, expected) => {
    const rows = await read(text(releasePackage([release(), release(changes)])));
    expect(rows[1]).toMatchObject({ tender: expected, warnings: [{ line: 2, column }] });
  });

  test.each<[string, unknown, string]>([
    ['no ocid', release({ ocid: null }), 'ocid: is missing'],
    ['a blank ocid', release({ ocid: ' ' }), 'ocid: must not be empty'],
    ['an ocid that is an object', release({ ocid: {} }), 'ocid: must be text'],
    ['no date', release({ date: undefined }), 'date: is missing'],
    [
      'an unreadable closing',
      release(period('after the holidays')),
      'tender.tenderPeriod.endDate: must be a date and time like 2026-04-15T11:00:00+05:30',
    ],
    ['a tender that is a list', release({ tender: [] }), 'tender: must be an object'],
    ['nothing', null, ': is missing'],
    ['a text', 'none', ': must be an object'],
  ])('with %s is rejected alone', async (_, odd, expected) => {
    const rows = await read(text(releasePackage([release(), odd, release()])));
    expect(rows.map(outcome)).toEqual(['1 ocds-a1b2c3-0001', `2 ${expected}`, '3 ocds-a1b2c3-0001']);
    if (typeof odd !== 'object' || odd === null) return;
    const lines = await read(text(release(), odd, release()));
    expect(lines.map(outcome)[1]).toBe(`2 ${expected}`);
  });

  test.each(['NaN', 'nan', 'Infinity', '-Infinity', 'None', 'undefined'])(
    'with the number %s has no amount, and texts keep the word',
    async (word) => {
      const odd = {
        ocid: 'ocds-a1b2c3-0002',
        tender: tender({ title: `a "NaN, ${word}" \\`, value: { amount: 'WORD', currency: 'INR' } }),
      };
      for (const content of [text(releasePackage([release(), release(odd)])), text(release(), release(odd))]) {
        const rows = await read(content.replace('"WORD"', word));
        expect(rows[1]).toMatchObject({ tender: { title: `a "NaN, ${word}" \\`, price: null } });
      }
    },
  );
});

describe('one row is rejected', () => {
  test.each<[string, unknown, Omit<Rejection, 'line'>]>([
    [
      'no tender section',
      release({ tag: ['award'], tender: undefined }),
      { column: 'tender', value: 'award', reason: 'holds no tender section' },
    ],
    [
      'no closing date',
      release({ tender: tender({ tenderPeriod: { startDate: '2026-04-02T09:00:00+05:30', endDate: null } }) }),
      { column: 'tender.tenderPeriod.endDate', value: '', reason: 'the tender has no closing date' },
    ],
    [
      'closing before publishing',
      release({ tender: tender({ tenderPeriod: { endDate: '2026-03-01T09:00:00Z' } }) }),
      {
        column: 'tender.tenderPeriod.endDate',
        value: '2026-03-01T09:00:00Z',
        reason: 'closes before it is published (2026-04-01T04:30:00.000Z)',
      },
    ],
    [
      'no title and no description',
      release({ tender: tender({ title: null, description: ' ' }) }),
      { column: 'tender.title', value: '', reason: 'the tender has neither title nor description' },
    ],
    [
      'no organisation',
      release({ parties: [{ id: '1', roles: ['buyer'], address: { region: 'Assam' } }], buyer: { id: '1' } }),
      { column: 'buyer.name', value: '', reason: 'the tender names no organisation' },
    ],
    [
      'no Indian state',
      release({ parties: undefined, buyer: { name: 'Ayuntamiento', address: { region: 'Jalisco' } } }),
      {
        column: 'parties.address.region',
        value: 'Jalisco',
        reason: 'names no Indian state; give one with --state',
      },
    ],
    [
      'no known portal',
      release({ ocid: 'HP-77' }),
      { column: 'ocid', value: 'HP-77', reason: "has no prefix like 'ocds-213czf'; name the portal with --portal" },
    ],
    [
      'a record of links',
      { ocid: 'ocds-a1b2c3-0001', releases: [{ url: 'https://example.org/1', date: '2026-04-01T10:00:00Z' }] },
      {
        column: 'releases',
        value: 'ocds-a1b2c3-0001',
        reason: 'its releases are only links, which cannot be read',
      },
    ],
    [
      'an empty record',
      recordPackage({ ocid: 'ocds-a1b2c3-0001' }),
      { column: 'releases', value: 'ocds-a1b2c3-0001', reason: 'holds no release' },
    ],
    [
      'an ocid of 201 characters',
      release({ ocid: `ocds-a1b2c3-${'7'.repeat(189)}` }),
      {
        column: 'ocid',
        value: `ocds-a1b2c3-${'7'.repeat(188)}`,
        reason: 'has 201 characters, more than an ocid can',
      },
    ],
    [
      'a region in a list without a state',
      release({
        parties: undefined,
        buyer: { name: 'Board', address: { locality: 'Guwahati' } },
        tender: tender({ deliveryAddresses: [{ region: 'Upper &amp; Lower' }, { region: 'Hills' }] }),
      }),
      {
        column: 'parties.address.region',
        value: 'Upper & Lower',
        reason: 'names no Indian state; give one with --state',
      },
    ],
  ])('%s', async (_, document, expected) => {
    expect(await rejection(document)).toEqual({ line: 1, ...expected });
  });

  test('for an unreadable JSON line, and the reason names the line', async () => {
    const deep = `{"tender":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const lines = [release(), '{"ocid": "ocds-a1b2', release({ ocid: '' }), deep, '', { ...release(), id: 'a\0b' }];
    const content = [...lines, release({ ocid: 'ocds-a1b2c3-0002' })]
      .map((each) => (typeof each === 'string' ? each : JSON.stringify(each).replace('\\u0000', '\0')))
      .join('\n');
    const rows = await read(`${content}\n`);
    expect(rows.map(outcome)).toEqual([
      '1 ocds-a1b2c3-0001',
      '2 : line 2 is not JSON',
      '3 ocid: must not be empty',
      '4 : line 4 is nested 5001 deep',
      '6 : line 6 holds a NUL byte',
      '7 ocds-a1b2c3-0002',
    ]);
  });

  test('for a JSON line whose package is broken in the middle, and the lines after it are read', async () => {
    const broken = releasePackage([release(), release({ ocid: [] })]);
    const rows = await read(`${text(broken, release({ ocid: 'ocds-a1b2c3-0002' }), releasePackage([release()]))}\n`);
    expect(rows.map(outcome)).toEqual([
      '1 ocds-a1b2c3-0001',
      '1 ocid: must be text',
      '2 ocds-a1b2c3-0002',
      '3 ocds-a1b2c3-0001',
    ]);
  });

  test('for a JSON line that is a list or a number', async () => {
    const rows = await read(`${text(release())}\n[]\n7\n`).catch((error) => error);
    expect(rows).toBeInstanceOf(UnreadableFileError);
    const lines = await read(`${text(release(), release({ ocid: 'ocds-a1b2c3-0002' }))}\n[]\n7\n`);
    expect(lines.map(outcome)).toEqual([
      '1 ocds-a1b2c3-0001',
      '2 ocds-a1b2c3-0002',
      '3 : line 3 holds no package, record or release',
      '4 : line 4 holds no package, record or release',
    ]);
    expect(lines[2]).toMatchObject({ rejection: { line: 3, column: '', value: '[]' } });
  });

  test('for a broken first JSON line, and the others are read', async () => {
    expect((await read(`{"ocid": broken}\n${text(release())}\n`)).map(outcome)).toEqual([
      '1 : line 1 is not JSON',
      '2 ocds-a1b2c3-0001',
    ]);
  });

  test('JSON lines without any OCDS, or with a truncated last one, are refused with the line', async () => {
    expect(await refusal('{"tenders":[]}\n{"tenders":[]}\n')).toBe(
      'line 1 is no valid OCDS, package 1: has neither releases nor records',
    );
    expect(await refusal(`${text(release(), release()).slice(0, -20)}`)).toBe(
      'is truncated: its last line, 2, is not JSON',
    );
  });

  test('for a release of a package that is nested 5,000 deep', async () => {
    const content = text(releasePackage([release(), 'DEEP', release({ ocid: 'ocds-a1b2c3-0002' })]));
    const rows = await read(content.replace('"DEEP"', `{"tender":${'['.repeat(5_000)}${']'.repeat(5_000)}}`));
    expect(rows.map(outcome)).toEqual(['1 ocds-a1b2c3-0001', '2 : is nested 5001 deep', '3 ocds-a1b2c3-0002']);
  });

  test('for a record that is nested more than 100 deep', async () => {
    const nested = (depth: number) =>
      `{"ocid":"ocds-a1b2c3-0003","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const content = text(
      recordPackage({ at: 'DEEP' }, { at: 'LIMIT' }, { ocid: 'ocds-a1b2c3-1', releases: [release()] }),
    );
    const rows = await read(content.replace('{"at":"DEEP"}', nested(101)).replace('{"at":"LIMIT"}', nested(100)));
    expect(rows.map(outcome)).toEqual(['1 : is nested 101 deep', '2 releases: holds no release', '3 ocds-a1b2c3-0001']);
  });

  test('while the other rows are read', async () => {
    const rows = await read(text(releasePackage([release({ tender: undefined }), release()])));
    expect(rows.map(outcome)).toEqual(['1 tender: holds no tender section', '2 ocds-a1b2c3-0001']);
  });
});

describe('a notice', () => {
  test('of a 1.1 release has all fields', async () => {
    const made = await notice(
      release({
        parties: [
          { id: '1', name: 'Public Works Department', roles: ['buyer'], address: { region: 'Delhi' } },
          {
            id: '2',
            name: 'Shimla Circle',
            roles: ['procuringEntity'],
            address: {
              streetAddress: 'US Club',
              locality: 'Shimla',
              region: 'Himachal Pradesh',
              postalCode: '171 001',
              countryName: 'India',
            },
            contactPoint: { name: 'Er. Mohan Lal Sharma, Executive Engineer', email: 'mohan@example.org' },
          },
          { id: '3', name: 'Suresh Builders', roles: ['tenderer'], contactPoint: { name: 'Suresh Kumar' } },
        ],
        buyer: { id: '1', name: 'Public Works Department' },
        tender: tender({
          procuringEntity: { id: 2, name: 'Shimla Circle' },
          mainProcurementCategory: 'works',
          procurementMethod: 'open',
          items: [{ id: '1', classification: { description: 'Bridges' } }],
          contractPeriod: { durationInDays: 180 },
          awardPeriod: { startDate: '2026-04-16T11:00:00+05:30' },
          milestones: [{ id: '1', type: 'preBidMeeting', dueDate: '2026-04-08T15:00:00+05:30' }],
          participationFees: [
            { type: ['deposit'], value: { amount: 25000, currency: 'INR' } },
            { type: ['document'], value: { amount: 500, currency: 'INR' } },
          ],
          documents: [
            { id: '1', documentType: 'biddingDocuments', title: 'NIT', format: 'application/pdf' },
            { id: '2', title: null, url: 'https://example.org/files/BOQ.xls?x=1' },
          ],
          amendments: [{ id: '1', rationale: 'Date extended' }, { id: '2', description: 'BOQ replaced' }, { id: '3' }],
          tenderers: [{ id: '3', name: 'Suresh Builders' }],
        }),
      }),
    );
    expect(made).toEqual({
      portal: 'ocds-a1b2c3',
      sourceId: 'ocds-a1b2c3-0001',
      state: 'Himachal Pradesh',
      title: 'Construction of a footbridge',
      description: 'Footbridge of 12 m span',
      reference: 'NIT-7',
      nitKey: null,
      organisationChain: ['Public Works Department', 'Shimla Circle'],
      address: 'US Club, Shimla, Himachal Pradesh',
      place: 'Shimla',
      pincode: '171001',
      category: 'Works',
      subCategory: 'Bridges',
      tenderType: 'Open Tender',
      formOfContract: null,
      price: '1234567.50',
      priceText: null,
      emd: '25000.00',
      emdPercent: null,
      emdExemptionAllowed: null,
      tenderFee: '500.00',
      covers: null,
      periodOfWorkDays: 180,
      bidValidityDays: null,
      contactDesignation: 'Executive Engineer',
      bidOpeningPlace: null,
      preBidPlace: null,
      publishedAt: new Date('2026-04-01T04:30:00Z'),
      bidStartAt: new Date('2026-04-02T03:30:00Z'),
      closesAt: new Date('2026-04-15T05:30:00Z'),
      closingTimeKnown: true,
      opensAt: new Date('2026-04-16T05:30:00Z'),
      preBidAt: new Date('2026-04-08T09:30:00Z'),
      documents: [
        { cover: 'biddingDocuments', type: 'pdf', name: 'NIT' },
        { cover: '', type: 'xls', name: 'BOQ.xls' },
      ],
      corrigenda: [
        { title: 'Date extended', type: null },
        { title: 'BOQ replaced', type: null },
        { title: 'Amendment', type: null },
      ],
      stage: 'published',
      files: [{ kind: 'boq', name: 'BOQ.xls', url: 'https://example.org/files/BOQ.xls?x=1' }],
    });
  });

  test('has the address of a file that the portal publishes, and its kind; web pages are no files', async () => {
    const at = (path: string, more: Json = {}): Json => ({ id: path, url: `https://example.org/${path}`, ...more });
    const documents = [
      at('1', { documentType: 'tenderNotice', title: 'Notice', format: 'application/pdf' }),
      at('2', { documentType: 'biddingDocuments', title: 'Conditions.PDF', format: 'application/pdf' }),
      at('3', { documentType: 'billOfQuantity', title: 'Rates', format: 'application/vnd.ms-excel; charset=utf-8' }),
      at('4', { title: 'Letter', format: 'application/msword' }),
      at('5', {
        title: 'Annex',
        format: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      }),
      at('6', { title: 'Sheet', format: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }),
      at('7', { title: 'Remarks', format: 'text/plain' }),
      at('drawing.DWG#page=2', { documentType: 'technicalSpecifications' }),
      at('page', { title: 'Page', format: 'text/html' }),
      at('nothing', { title: 'Unknown' }),
      { id: '9', title: 'Elsewhere.pdf', url: 'ftp://example.org/Elsewhere.pdf' },
      { id: '10', title: 'Missing.pdf', format: 'application/pdf' },
    ];
    const made = await notice(release({ tender: tender({ documents }) }));
    expect(made.files?.map(({ name, kind, url }) => `${kind} ${name} ${url.slice(20)}`)).toEqual([
      'nit Notice.pdf 1',
      'nit Conditions.PDF 2',
      'boq Rates.xls 3',
      'other Letter.doc 4',
      'other Annex.docx 5',
      'other Sheet.xlsx 6',
      'other Remarks.txt 7',
      'other drawing.DWG drawing.DWG#page=2',
    ]);
    expect(made.documents.map(({ cover, type, name }) => `${cover}/${type}/${name}`)).toEqual([
      'tenderNotice/pdf/Notice',
      'biddingDocuments/pdf/Conditions.PDF',
      'billOfQuantity/xls/Rates',
      '/doc/Letter',
      '/docx/Annex',
      '/xlsx/Sheet',
      '/txt/Remarks',
      'technicalSpecifications/dwg/drawing.DWG',
      '/html/Page',
      '//Unknown',
      '/pdf/Elsewhere.pdf',
      '/pdf/Missing.pdf',
    ]);
  });

  test('has the lines of the bill of quantities, and the first class of its items', async () => {
    const items = [
      { id: '1', description: 'Cement &amp; sand', quantity: 12.5, unit: { name: 'bag' } },
      { id: '2', description: ' ', quantity: 1 },
      { id: '3', description: 'Steel', classification: { description: 'Building materials' } },
      { id: '4', description: 'Labour', quantity: 0, unit: { name: null }, classification: { description: 'Work' } },
    ];
    expect(await notice(release({ tender: tender({ items }) }))).toMatchObject({
      subCategory: 'Building materials',
      boq: [
        { description: 'Cement & sand', quantity: '12.5', unit: 'bag' },
        { description: 'Steel', quantity: null, unit: null },
        { description: 'Labour', quantity: '0', unit: null },
      ],
    });
    const bare = await notice(release({ tender: tender({ items: [{ id: '1' }] }) }));
    expect(bare).not.toHaveProperty('boq');
    expect(bare).not.toHaveProperty('files');
  });

  test('has no reference when its id is the ocid, and a number as its reference', async () => {
    expect((await notice(release({ tender: tender({ id: 'ocds-a1b2c3-0001' }) }))).reference).toBeNull();
    expect((await notice(release({ tender: tender({ id: 7 }) }))).reference).toBe('7');
  });

  test('has its title as description when there is none', async () => {
    const made = await notice(release({ tender: tender({ description: null }) }));
    expect(made).toMatchObject({ title: 'Construction of a footbridge', description: 'Construction of a footbridge' });
  });

  test('with an ocid of 200 characters is read', async () => {
    const ocid = `ocds-a1b2c3-${'7'.repeat(188)}`;
    expect((await notice(release({ ocid }))).sourceId).toBe(ocid);
  });

  test('ignores unreadable values of extensions', async () => {
    const made = await notice(
      release({
        bids: 'none',
        tender: tender({
          enquiryPeriod: { startDate: 'soon' },
          bidOpening: { date: 'soon' },
          participationFees: 'none',
          numberOfTenderers: 'many',
          tenderers: 'all',
          items: [{ id: '1', deliveryAddress: 'here' }],
        }),
        awards: [{ id: '1', status: 'active', date: 'soon', value: 'much', suppliers: {} }],
      }),
    );
    expect(made).toMatchObject({ opensAt: null, tenderFee: null, emd: null, stage: 'awarded' });
  });

  test('has its organisations from the list of parties, by id before their role, and each once', async () => {
    const parties = [
      { id: '1', name: 'Board', roles: ['buyer'], address: { region: 'Assam' } },
      { id: '2', name: 'Circle', roles: ['supplier', 'procuringEntity'], contactPoint: { name: 'Chief Engineer' } },
      { id: '3', name: 'Ministry', contactPoint: { name: 'Managing Director' } },
    ];
    const of = async (changes: Json, tenderChanges: Json = {}) =>
      notice(release({ parties, ...changes, tender: tender(tenderChanges) }), { state: 'Goa' });
    expect(await of({ buyer: undefined })).toMatchObject({
      organisationChain: ['Board', 'Circle'],
      contactDesignation: 'Chief Engineer',
      state: 'Assam',
    });
    const named = { buyer: { id: '3', name: 'Ministry of Works' } };
    expect(await of(named, { procuringEntity: { id: '1' } })).toMatchObject({
      organisationChain: ['Ministry of Works', 'Board'],
      contactDesignation: 'Managing Director',
      state: 'Assam',
    });
    expect((await of({ buyer: { id: '2' } })).organisationChain).toEqual(['Circle']);
  });

  test('has the office before the buyer as address, contact and state', async () => {
    const buyer = {
      name: 'Board',
      address: { streetAddress: 'Dispur', region: 'Assam', postalCode: '781006' },
      contactPoint: { name: 'Secretary' },
    };
    const procuringEntity = {
      name: 'Circle',
      address: { streetAddress: 'Tower', locality: 'Delhi', region: 'Delhi', postalCode: '110001' },
      contactPoint: { name: 'Executive Engineer' },
    };
    const deliveryAddresses = [{ region: 'Sikkim' }];
    const of = async (changes: Json) =>
      notice(release({ parties: undefined, buyer, tender: tender({ deliveryAddresses, ...changes }) }));
    expect(await of({ procuringEntity })).toMatchObject({
      state: 'Delhi',
      address: 'Tower, Delhi',
      place: 'Delhi',
      pincode: '110001',
      contactDesignation: 'Executive Engineer',
    });
    expect(await of({ procuringEntity: { name: 'Circle', contactPoint: { name: 'Asha Negi' } } })).toMatchObject({
      state: 'Assam',
      address: 'Dispur, Assam',
      pincode: '781006',
      contactDesignation: 'Secretary',
    });
  });

  test.each([
    [{ country: 'IN' }, '171001'],
    [{ countryName: 'भारत' }, '171001'],
    [{ countryName: 'Republic of India', country: 'XX' }, '171001'],
    [{ country: 'ind' }, '171001'],
    [{ country: 'India' }, '171001'],
    [{ countryName: 'Bharat' }, '171001'],
    [{ country: 'MX' }, null],
    [{ countryName: 'Nepal' }, null],
  ])('in %j has the PIN code %s', async (country, pincode) => {
    const address = { region: 'Himachal Pradesh', postalCode: '171001', ...country };
    const made = await notice(release({ parties: undefined, buyer: { name: 'Board', address } }), { state: 'Assam' });
    expect(made.pincode).toBe(pincode);
    expect(made.state).toBe(pincode ? 'Himachal Pradesh' : 'Assam');
  });

  test('has the date of its pre-bid meeting by the title of the milestone, too', async () => {
    const milestones = [
      { id: '1', type: 'delivery', dueDate: '2026-05-08T15:00:00+05:30' },
      { id: '2', title: 'Pre Bid conference', dueDate: '2026-04-08T15:00:00+05:30' },
    ];
    expect((await notice(release({ tender: tender({ milestones }) }))).preBidAt).toEqual(
      new Date('2026-04-08T09:30:00Z'),
    );
    expect((await notice(release({ tender: tender({ milestones: milestones.slice(0, 1) }) }))).preBidAt).toBeNull();
    for (const title of ['Pre-bid meeting', 'Prebid meeting', 'PRE-BID'])
      expect(
        (await notice(release({ tender: tender({ milestones: [{ ...milestones[1], title }] }) }))).preBidAt,
      ).not.toBeNull();
  });

  test('names one amendment, or those of the list', async () => {
    const amendment = { rationale: 'Fee corrected' };
    const titles = async (changes: Json) =>
      (await notice(release({ tender: tender(changes) }))).corrigenda.map(({ title }) => title);
    expect(await titles({ amendment, amendments: [] })).toEqual(['Fee corrected']);
    expect(await titles({ amendment, amendments: [{ rationale: ' ', description: 'BOQ replaced' }] })).toEqual([
      'BOQ replaced',
    ]);
  });

  test('of a 1.0 release has the organisation that is described in place', async () => {
    const buyer = {
      name: 'Jal Shakti Vibhag',
      address: { streetAddress: 'Tutikandi', locality: 'Shimla', region: 'HP', postalCode: '171004' },
      contactPoint: { name: 'Superintending Engineer' },
    };
    const made = await notice(
      release({ parties: undefined, buyer, tender: tender({ amendment: { rationale: 'Fee corrected' } }) }),
    );
    expect(made).toMatchObject({
      state: 'Himachal Pradesh',
      organisationChain: ['Jal Shakti Vibhag'],
      address: 'Tutikandi, Shimla, HP',
      pincode: '171004',
      contactDesignation: 'Superintending Engineer',
      corrigenda: [{ title: 'Fee corrected', type: null }],
    });
  });

  test('contains no name of an official or bidder', async () => {
    const person = { name: 'Mohan Lal Sharma', email: 'mohan@example.org', telephone: '9816000000' };
    const made = await notice(
      release({
        buyer: { name: 'Forest Department', contactPoint: person, address: { region: 'Assam' } },
        tender: tender({
          procuringEntity: { name: 'Kamrup Division', contactPoint: person },
          tenderers: [{ name: 'Suresh Kumar' }],
        }),
        awards: [{ id: '1', status: 'active', suppliers: [{ name: 'Suresh Kumar' }] }],
      }),
    );
    expect(JSON.stringify(made)).not.toMatch(/mohan|suresh|9816/i);
    expect(made.contactDesignation).toBeNull();
  });

  test.each<[string, Json | undefined, string | null, string | null]>([
    ['rupees', { amount: 500000, currency: 'INR' }, '500000.00', null],
    ['rupees of nothing', { amount: 0, currency: 'INR' }, null, null],
    ['pesos', { amount: 1200000, currency: 'MXN' }, null, 'MXN 1,200,000'],
    ['pesos and centavos', { amount: 1471566.7, currency: 'MXN' }, null, 'MXN 1,471,566.70'],
    ['few dollars', { amount: 999, currency: 'USD' }, null, 'USD 999'],
    ['dollars of nothing', { amount: 0, currency: 'USD' }, null, null],
    ['no currency', { amount: 500000 }, null, null],
    ['no amount', { amount: null, currency: 'MXN' }, null, null],
    ['no value', undefined, null, null],
  ])('the price of %s', async (_, value, price, priceText) => {
    expect(await notice(release({ tender: tender({ value }) }))).toMatchObject({ price, priceText });
  });

  test.each<[string, Json[], Json]>([
    [
      'without a type is that of the documents',
      [{ value: { amount: 500, currency: 'INR' } }],
      { tenderFee: '500.00', emd: null },
    ],
    [
      'of two types is both',
      [{ type: ['deposit', 'document'], value: { amount: 500, currency: 'INR' } }],
      { tenderFee: '500.00', emd: '500.00' },
    ],
    [
      'for the winner alone is neither',
      [{ type: ['win'], value: { amount: 500, currency: 'INR' } }],
      { tenderFee: null, emd: null },
    ],
    ['in dollars is neither', [{ value: { amount: 500, currency: 'USD' } }], { tenderFee: null, emd: null }],
  ])('a fee %s', async (_, participationFees, fees) => {
    expect(await notice(release({ tender: tender({ participationFees }) }))).toMatchObject(fees);
  });

  test.each<[string, Json, Json]>([
    [
      'the hour of a closing stays',
      { endDate: '2026-04-15T00:00:00Z' },
      { closesAt: '2026-04-15T00:00:00Z', closingTimeKnown: true },
    ],
    [
      'a day alone ends with the Indian day',
      { endDate: '2026-04-15' },
      { closesAt: '2026-04-15T18:29:59Z', closingTimeKnown: false },
    ],
    [
      'bids that began before the release date the publication',
      { startDate: '2026-03-20T09:00:00Z', endDate: '2026-04-15T09:00:00Z' },
      { publishedAt: '2026-03-20T09:00:00Z', bidStartAt: '2026-03-20T09:00:00Z' },
    ],
  ])('%s', async (_, tenderPeriod, expected) => {
    const made = await notice(release({ tender: tender({ tenderPeriod }) }));
    for (const [key, value] of Object.entries(expected))
      expect(made[key as keyof SourceTender]).toEqual(typeof value === 'string' ? new Date(value) : value);
  });

  test('a stated publishing date has precedence over the release and the start of bids', async () => {
    const made = await notice(release({ tender: tender({ datePublished: '2026-03-30T11:00:00Z' }) }));
    expect(made.publishedAt).toEqual(new Date('2026-03-30T11:00:00Z'));
  });

  test('a stated publishing date that equals the closing stays', async () => {
    const tenderPeriod = { startDate: '2026-04-02T09:00:00Z', endDate: '2026-04-15T09:00:00Z' };
    const made = await notice(release({ tender: tender({ tenderPeriod, datePublished: '2026-04-15T09:00:00Z' }) }));
    expect(made).toMatchObject({ publishedAt: new Date('2026-04-15T09:00:00Z'), corrigenda: [] });
  });

  test.each<[string, Json, Json, string, string[]]>([
    ['the start of bids', { startDate: '2026-04-02T09:00:00Z' }, {}, '2026-04-02T09:00:00Z', []],
    [
      'the start of enquiries',
      {},
      { enquiryPeriod: { startDate: '2026-04-01T09:00:00Z' } },
      '2026-04-01T09:00:00Z',
      [],
    ],
    [
      'the closing at the latest',
      {},
      {},
      '2026-04-15T09:00:00Z',
      ['Publishing date not given: the closing is the latest possible'],
    ],
    [
      'another date, when the stated one is after the closing',
      { startDate: '2026-04-02T09:00:00Z' },
      { datePublished: '2027-04-01T09:00:00Z' },
      '2026-04-02T09:00:00Z',
      ['Publishing date corrected: the portal says 1 Apr 2027, 2:30 PM, after the closing'],
    ],
  ])('an award release was published at %s', async (_, period, more, expected, remarks) => {
    const tenderPeriod = { ...period, endDate: '2026-04-15T09:00:00Z' };
    const awarded = release({
      tag: ['award'],
      date: '2026-06-01T09:00:00Z',
      tender: tender({ tenderPeriod, ...more }),
    });
    const made = await notice(awarded);
    expect(made).toMatchObject({ publishedAt: new Date(expected), isPublishedInferred: true });
    expect(made.corrigenda.map(({ title }) => title)).toEqual(remarks);
  });

  test.each<[string, Json, string, boolean]>([
    ['a plan and tender', { tag: ['planning', 'tender'] }, '2026-04-01T04:30:00Z', false],
    ['a tender and award', { tag: ['tender', 'award'] }, '2026-04-01T04:30:00Z', true],
    ['a later update', { tag: ['tenderUpdate'], date: '2026-05-01T10:00:00+05:30' }, '2026-04-02T03:30:00Z', true],
  ])('the release of %s says when it was published', async (_, changes, expected, isInferred) => {
    const made = await notice(release(changes));
    expect(made.publishedAt).toEqual(new Date(expected));
    expect(made.isPublishedInferred ?? false).toBe(isInferred);
    expect(made.corrigenda).toEqual([]);
  });

  test('a stated publishing date after the closing is replaced by the start of enquiries, when that is the earliest', async () => {
    const made = await notice(
      release({
        tender: tender({
          datePublished: '2027-04-01T09:00:00Z',
          enquiryPeriod: { startDate: '2026-03-28T09:00:00Z' },
        }),
      }),
    );
    expect(made.publishedAt).toEqual(new Date('2026-03-28T09:00:00Z'));
    expect(made.corrigenda.map(({ type }) => type)).toEqual(['Noticed by Nivida']);
  });

  test('an opening date and place of the extension have precedence over the award period', async () => {
    const bidOpening = { date: '2026-04-15T12:00:00Z', address: { streetAddress: 'Room 4', locality: 'Shimla' } };
    const made = await notice(
      release({ tender: tender({ bidOpening, awardPeriod: { startDate: '2026-05-01T00:00:00Z' } }) }),
    );
    expect(made).toMatchObject({ opensAt: new Date('2026-04-15T12:00:00Z'), bidOpeningPlace: 'Room 4, Shimla' });
  });

  const active = { awards: [{ id: '1', status: 'active' }] };
  const pending = { awards: [{ id: '1', status: 'pending' }] };

  test.each<[string, Json, SourceTender['stage']]>([
    ['an active tender', { tender: tender({ status: 'active' }) }, 'published'],
    ['a tender without status', { tender: tender({ status: null }) }, 'published'],
    ['a complete tender', { tender: tender({ status: 'complete' }) }, 'under_evaluation'],
    [
      'a complete tender with a pending award',
      { tender: tender({ status: 'complete' }), ...pending },
      'under_evaluation',
    ],
    ['a complete tender with an active award', { tender: tender({ status: 'complete' }), ...active }, 'awarded'],
    ['a planned tender with an active award', { tender: tender({ status: 'planned' }), ...active }, 'awarded'],
    ['an unsuccessful tender', { tender: tender({ status: 'unsuccessful' }) }, 'cancelled'],
    ['a cancelled tender with an active award', { tender: tender({ status: 'cancelled' }), ...active }, 'awarded'],
    ['a withdrawn tender', { tender: tender({ status: 'withdrawn' }) }, 'cancelled'],
    ['a cancelled tender', { tender: tender({ status: 'cancelled' }) }, 'cancelled'],
    ['a planned tender', { tender: tender({ status: 'planned' }) }, 'published'],
    [
      'a tender with one active award of two',
      {
        awards: [
          { id: '1', status: 'unsuccessful' },
          { id: '2', status: 'active' },
        ],
      },
      'awarded',
    ],
    ['a tender with a cancelled award', { awards: [{ id: '1', status: 'cancelled' }] }, 'published'],
    ['a release that cancels and updates', { tag: ['tenderUpdate', 'tenderCancellation'] }, 'cancelled'],
    ['a release that cancels', { tag: ['tenderCancellation'] }, 'cancelled'],
  ])('%s has its stage', async (_, changes, stage) => {
    expect((await notice(release(changes))).stage).toBe(stage);
  });

  test("the category has the portals' name, or is unknown", async () => {
    expect((await notice(release({ tender: tender({ mainProcurementCategory: 'goods' }) }))).category).toBe('Goods');
    expect((await notice(release())).category).toBeNull();
  });

  test.each<[string, Json, string | null]>([
    ['a selective procedure', { procurementMethod: 'selective' }, 'Limited'],
    ['a limited procedure', { procurementMethod: 'limited' }, 'Limited'],
    ['a direct procedure', { procurementMethod: 'direct' }, 'Single'],
    ['details alone', { procurementMethodDetails: 'Open Limited' }, 'Open Limited'],
    ['a procedure with details', { procurementMethod: 'open', procurementMethodDetails: 'e-Tender' }, 'Open Tender'],
    ['nothing', {}, null],
  ])('the type of %s', async (_, changes, type) => {
    expect((await notice(release({ tender: tender(changes) }))).tenderType).toBe(type);
  });

  test('a tender without a title has the beginning of its description', async () => {
    const made = await notice(release({ tender: tender({ title: null, description: 'Road '.repeat(80) }) }));
    expect(made.title).toBe(`${'Road '.repeat(50)}…`);
    expect(made.reference).toBe('NIT-7');
    const whole = `${'Road '.repeat(49)}roads`;
    expect((await notice(release({ tender: tender({ title: null, description: whole }) }))).title).toBe(whole);
  });
});

describe('the state of a tender', () => {
  const at = (address: Json, changes: Json = {}) =>
    release({ parties: undefined, buyer: { name: 'Board', address }, tender: tender(changes) });

  test.each<[string, Json, string | undefined, string]>([
    ['the data name it', at({ region: 'Assam' }), 'Himachal Pradesh', 'Assam'],
    ['the data name it by its code', at({ region: 'IN-HP' }), undefined, 'Himachal Pradesh'],
    ['the data name it after the town', at({ region: 'Guwahati, Assam' }), undefined, 'Assam'],
    [
      'only the place of delivery names it',
      at({}, { items: [{ id: '1', deliveryAddresses: [{ region: 'Sikkim' }] }] }),
      undefined,
      'Sikkim',
    ],
    [
      'only the place of delivery of the tender names it',
      at({}, { deliveryAddresses: [{ region: 'Goa' }], items: [{ id: '1', deliveryAddress: { region: 'Sikkim' } }] }),
      'Assam',
      'Goa',
    ],
    [
      'only the single address of an item names it',
      at({ region: 'Hills' }, { items: [{ id: '1' }, { id: '2', deliveryAddress: { region: 'Sikkim' } }] }),
      undefined,
      'Sikkim',
    ],
    ['only the command names it', at({ locality: 'Shimla' }), 'Himachal Pradesh', 'Himachal Pradesh'],
    [
      'a region of another country has its name',
      at({ region: 'Punjab', countryName: 'Pakistan' }),
      'Himachal Pradesh',
      'Himachal Pradesh',
    ],
  ])('is known when %s', async (_, document, state, expected) => {
    expect((await notice(document, state === undefined ? {} : { state })).state).toBe(expected);
  });
});

describe('the portal of a tender', () => {
  test('is the one of the command', async () => {
    expect((await notice(release(), { portal: 'hp' })).portal).toBe('hp');
  });

  test('is the prefix of the ocid in every kind of file', async () => {
    const expected = 'ocds-a1b2c3';
    expect((await notice(release({ ocid: 'OCDS-A1B2C3-7' }))).portal).toBe(expected);
    expect((await notice(releasePackage([release()]))).portal).toBe(expected);
  });
});

describe('the state of a record', () => {
  const first = release({ tender: tender({ documents: [{ id: '1', title: 'NIT' }] }) });
  const later = release({
    id: '2',
    date: '2026-04-10T10:00:00+05:30',
    tag: ['tenderAmendment'],
    tender: {
      id: 'NIT-7',
      tenderPeriod: { endDate: '2026-04-22T11:00:00+05:30' },
      documents: [{ id: '2', title: 'BOQ' }],
    },
  });

  test('is its compiled release', async () => {
    const compiledRelease = release({ tag: ['compiled'], tender: tender({ title: 'Compiled' }) });
    expect((await notice({ ocid: 'ocds-a1b2c3-0001', releases: [first], compiledRelease })).title).toBe('Compiled');
  });

  test('is the merge of its releases by date when none is compiled', async () => {
    const made = await notice({ ocid: 'ocds-a1b2c3-0001', releases: [later, first] });
    expect(made).toMatchObject({
      title: 'Construction of a footbridge',
      closesAt: new Date('2026-04-22T05:30:00Z'),
      bidStartAt: new Date('2026-04-02T03:30:00Z'),
      documents: [{ name: 'NIT' }, { name: 'BOQ' }],
      // The merge is no announcement, although its first release was one.
      publishedAt: new Date('2026-04-02T03:30:00Z'),
      isPublishedInferred: true,
    });
  });

  test('has merged list entries of the same id, and lists without ids are replaced', async () => {
    const update = release({
      id: '2',
      date: '2026-04-10T10:00:00+05:30',
      tender: {
        id: 'NIT-7',
        documents: [
          { id: '2', title: 'BOQ' },
          { id: '1', format: 'application/pdf' },
        ],
        participationFees: [{ value: { amount: 600, currency: 'INR' } }],
      },
    });
    const fees = [
      { value: { amount: 500, currency: 'INR' } },
      { type: 'deposit', value: { amount: 9, currency: 'INR' } },
    ];
    const before = release({ tender: tender({ documents: [{ id: '1', title: 'NIT' }], participationFees: fees }) });
    expect(await notice({ ocid: 'ocds-a1b2c3-0001', releases: [before, update] })).toMatchObject({
      documents: [
        { type: 'pdf', name: 'NIT' },
        { type: '', name: 'BOQ' },
      ],
      tenderFee: '600.00',
      emd: null,
    });
  });

  test('is unknown when it links some of its releases and embeds others', async () => {
    const releases = [{ url: 'https://example.org/1', date: '2026-04-01T10:00:00Z' }, first];
    expect(await rejection({ ocid: 'ocds-a1b2c3-0001', releases })).toMatchObject({
      column: 'releases',
      reason: 'some of its releases are only links',
    });
  });

  test('is read without its ocid when its releases have one, and the reverse', async () => {
    expect((await notice(recordPackage({ releases: [first] }))).sourceId).toBe('ocds-a1b2c3-0001');
    const compiledRelease = { ...first, ocid: undefined };
    expect((await notice(recordPackage({ ocid: 'ocds-a1b2c3-7', compiledRelease }))).sourceId).toBe('ocds-a1b2c3-7');
  });

  test('is merged by the instants of its releases, also when these have different offsets', async () => {
    const dated = (date: string, title: string) => release({ id: title, date, tender: tender({ title }) });
    const releases = [dated('2026-04-10T00:30:00Z', 'Later'), dated('2026-04-10T05:00:00+05:30', 'Earlier')];
    expect((await notice({ ocid: 'ocds-a1b2c3-0001', releases })).title).toBe('Later');
  });

  test('is the last of its versions when there are no releases', async () => {
    const version = (value: unknown, releaseDate = '2026-04-01T10:00:00+05:30') => ({
      releaseID: '1',
      releaseDate,
      releaseTag: ['tender'],
      value,
    });
    const made = await notice({
      ocid: 'ocds-a1b2c3-0001',
      releases: [{ url: 'https://example.org/1', date: '2026-04-01T10:00:00Z' }],
      versionedRelease: {
        ocid: 'ocds-a1b2c3-0001',
        initiationType: [version('tender')],
        buyer: {
          name: [version('Forest Department', '2026-04-05T05:00:00Z')],
          address: { region: [version('Assam')] },
        },
        tender: {
          id: [version('NIT-9')],
          title: [version('Old title'), version('New title', '2026-04-05T10:00:00+05:30')],
          tenderPeriod: { endDate: [version('2026-04-15T11:00:00+05:30')] },
          documents: [{ id: '1', title: [version('NIT')] }],
        },
      },
    });
    expect(made).toMatchObject({
      title: 'New title',
      state: 'Assam',
      // The newest instant of all versions; its text is not the last by its letters.
      publishedAt: new Date('2026-04-05T05:00:00Z'),
      documents: [{ name: 'NIT' }],
    });
  });
});

withData('the examples of the standard (needs ../shared)', () => {
  const MEXICO_1 = 'OCDS-87SD3T-AD-SF-DRM-063-2015';
  const MEXICO_2 = 'OCDS-87SD3T-AD-SF-DRM-065-2015';

  test.each<[string, string[]]>([
    [
      'fictional-1.1.json',
      [
        '1 tender.tenderPeriod.endDate: the tender has no closing date',
        '2 ocds-213czf-000-00001',
        '3 ocds-213czf-000-00001',
        '4 tender.tenderPeriod.endDate: the tender has no closing date',
        '5 tender: holds no tender section',
        '6 tender: holds no tender section',
      ],
    ],
    ['record-package_package_1.1.json', [`1 ${MEXICO_1}`, `2 ${MEXICO_2}`]],
    ['record-package_versioned.json', [`1 ${MEXICO_1}`, `2 ${MEXICO_2}`]],
    ['release-package-1.json', [`1 ${MEXICO_1}`, `2 ${MEXICO_1}`]],
    ['release-package-1-2.json', [`1 ${MEXICO_1}`, `2 ${MEXICO_1}`, `3 ${MEXICO_2}`, `4 ${MEXICO_2}`]],
    ['release-package-2.json', [`1 ${MEXICO_2}`, `2 ${MEXICO_2}`]],
  ])('%s is read with a state of the command', async (file, expected) => {
    const rows: SourceRow[] = [];
    const options = { portal: 'demo', state: 'Himachal Pradesh' };
    for await (const row of readOcds(createReadStream(`${DATA}/examples/${file}`), options)) rows.push(row);
    expect(rows.map(outcome)).toEqual(expected);
  });

  test('their amounts are stored as text', async () => {
    const content = readFileSync(`${DATA}/examples/release-package-1-2.json`);
    const rows = await read(content, { state: 'Himachal Pradesh' });
    const prices = rows.map((row) => 'tender' in row && [row.tender.price, row.tender.priceText]);
    expect(prices.slice(1, 3)).toEqual([
      [null, 'MXN 1,311,264'],
      [null, 'MXN 1,471,566.72'],
    ]);
  });

  test('every one is rejected without a state', async () => {
    const rows = await read(readFileSync(`${DATA}/examples/record-package_versioned.json`));
    expect(rows.map(outcome)).toEqual([
      '1 parties.address.region: names no Indian state; give one with --state',
      '2 parties.address.region: names no Indian state; give one with --state',
    ]);
  });
});

withData('the schemas of the standard (needs ../shared)', () => {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  ajvFormats.default(ajv);

  beforeAll(() => {
    for (const name of ['release', 'record', 'release-package', 'record-package']) {
      // Draft 4 calls it `id`.
      const { id, $schema, ...schema } = JSON.parse(readFileSync(`${DATA}/${name}-schema.json`, 'utf8'));
      ajv.addSchema({ $id: id, ...schema }, name);
    }
    // The data do not contain the schema of versioned releases.
    ajv.addSchema({
      $id: 'https://standard.open-contracting.org/schema/1__1__5/versioned-release-validation-schema.json',
    });
  });

  function complaints(document: Json): string[] {
    const isPackage = 'version' in document || 'uri' in document;
    const name = isPackage ? (document.records ? 'record-package' : 'release-package') : 'record';
    const validate = ajv.getSchema(name);
    validate?.(document);
    return (validate?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
  }

  // Errors of the examples themselves: 1.0 had no version, and one publisher left both fields empty.
  const forgiven = [
    "must have required property 'version'",
    '/uri must match format "uri"',
    '/publishedDate must match format "date-time"',
  ];

  test.each(EXAMPLES)('find no more fault with %s than we', async (file) => {
    const content = readFileSync(`${DATA}/examples/${file}`, 'utf8');
    const documents = file.includes('package_package') ? content.trim().split('\n') : [content];
    const found = documents.flatMap((document) => complaints(JSON.parse(document)));
    expect(found.filter((complaint) => !forgiven.includes(complaint))).toEqual([]);
    expect((await read(content)).length).toBeGreaterThan(0);
  });

  test.each<[string, Json]>([
    ['a package with version and releases alone', { version: '1.1', releases: [release()] }],
    ['nulls', releasePackage([release({ tender: tender({ title: null, value: { amount: null, currency: null } }) })])],
    ['a tender with a number for id', releasePackage([release({ tender: tender({ id: 7 }) })])],
    ['tags of the publisher', releasePackage([release({ tag: ['tender', 'corrigendum'] })])],
    ['a record package', recordPackage({ ocid: 'ocds-a1b2c3-1', releases: [release()] })],
  ])('accept %s, and so do we', async (_, document) => {
    expect(complaints(document)).toEqual([]);
    expect((await read(text(document))).length).toBe(1);
  });

  test.each<[string, Json]>([
    ['a release without ocid', releasePackage([release({ ocid: undefined })])],
    ['releases that are no list', releasePackage({})],
    ['no releases', releasePackage(undefined)],
    ['a date that is none', releasePackage([release({ date: 'yesterday' })])],
    ['a version that is none', releasePackage([release()], { version: 'latest' })],
    ['a publisher that is text', releasePackage([release()], { publisher: 'Example' })],
  ])('refuse %s, and so do we', async (_, document) => {
    expect(complaints(JSON.parse(text(document)))).not.toEqual([]);
    expect(await refusal(text(document))).toContain('is no valid OCDS');
  });
});
