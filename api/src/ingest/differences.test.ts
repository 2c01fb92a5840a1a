import { describe, expect, test } from 'vitest';
import { createSourceTender } from '../../test/support/source-tenders.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { compareRows, type Difference } from './differences.ts';
import type { SourceTender } from './source-tender.ts';
import { contentHash, prepareRow, type StoredRow } from './stored-row.ts';

/** A notice before it is stored. */
const row = (changes: Partial<SourceTender>, shiftDays: number): StoredRow =>
  prepareRow(createSourceTender(changes), 'digest', shiftDays, new Map()).row;

/** A notice as a row of the table. */
function stored(changes: Partial<SourceTender>, shiftDays: number): TenderEntity {
  const named = Object.entries(row(changes, shiftDays)).map(([column, value]) => [
    column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.assign(new TenderEntity(), Object.fromEntries(named));
}

function compare(
  before: Partial<SourceTender>,
  after: Partial<SourceTender>,
  { shifts = [0, 0], named = [] }: { shifts?: [number, number]; named?: SourceTender['corrigenda'] } = {},
): Difference {
  return compareRows(stored(before, shifts[0]), row(after, shifts[1]), named);
}

const NOTHING = { changes: [], corrigenda: [], kind: null };
const BOQ = { cover: 'Finance', type: 'xls', name: 'BOQ' };
const DRAWING = { cover: 'Technical', type: 'pdf', name: 'Drawing' };

const CLOSES = { closesAt: new Date('2026-11-25T17:00:00+05:30') };
const CLOSING_CHANGE = {
  field: 'closing_date',
  old: '2026-11-20T05:30:00.000Z',
  new: '2026-11-25T11:30:00.000Z',
};

describe('there is no change for', () => {
  test('the same notice again', () => {
    expect(compare({}, {})).toEqual(NOTHING);
  });

  test('the same notice under another shift', () => {
    const dates = {
      bidStartAt: new Date('2026-11-03T09:00:00+05:30'),
      opensAt: new Date('2026-11-21T11:00:00+05:30'),
      preBidAt: new Date('2026-11-09T11:00:00+05:30'),
    };
    expect(compare(dates, dates, { shifts: [0, 8] })).toEqual(NOTHING);
    expect(compare(dates, dates, { shifts: [8, 9] })).toEqual(NOTHING);
    expect(compare(dates, dates, { shifts: [300, -2] })).toEqual(NOTHING);
  });
});

describe('a changed closing date', () => {
  test('becomes a corrigendum with the old and the new date', () => {
    expect(compare({}, CLOSES)).toEqual({
      changes: [CLOSING_CHANGE],
      corrigenda: [{ title: 'Closing date changed', type: null, changes: [CLOSING_CHANGE] }],
      kind: 'date',
    });
  });

  test('under another shift appears with the shifted dates', () => {
    const { corrigenda } = compare({}, CLOSES, { shifts: [8, 9] });
    expect(corrigenda[0]?.changes).toEqual([
      { field: 'closing_date', old: '2026-11-29T05:30:00.000Z', new: '2026-12-04T11:30:00.000Z' },
    ]);
  });

  test('comes first among several changes', () => {
    const { corrigenda, kind } = compare({ price: null }, { ...CLOSES, price: '900000.00', emd: '18000.00' });
    expect(corrigenda).toEqual([
      {
        title: 'Closing date changed',
        type: null,
        changes: [
          CLOSING_CHANGE,
          { field: 'price', old: null, new: '900000.00' },
          { field: 'emd', old: '10000.00', new: '18000.00' },
        ],
      },
    ]);
    expect(kind).toBe('date');
  });

  test('with an hour that becomes known is a change too', () => {
    const day = { closesAt: new Date('2026-11-20T23:59:59+05:30'), closingTimeKnown: false };
    const { changes, kind } = compare(day, {});
    expect(changes).toEqual([
      { field: 'closing_date', old: '2026-11-20T18:29:59.000Z', new: '2026-11-20T05:30:00.000Z' },
      { field: 'closing_time_known', old: false, new: true },
    ]);
    expect(kind).toBe('date');
  });
});

describe('other values that concern bidders', () => {
  test.each<[Partial<SourceTender>, Partial<SourceTender>, string, string | null, string | null]>([
    [{ price: null }, { price: '500000.00' }, 'Estimated value changed', null, '500000.00'],
    [{ price: '500000.00' }, { price: null }, 'Estimated value changed', '500000.00', null],
    [{ emd: '10000.00' }, { emd: '0.00' }, 'EMD changed', '10000.00', '0.00'],
    [
      { opensAt: null },
      { opensAt: new Date('2026-11-21T11:00:00+05:30') },
      'Opening date changed',
      null,
      '2026-11-21T05:30:00.000Z',
    ],
    [
      { bidStartAt: new Date('2026-11-03T09:00:00+05:30') },
      { bidStartAt: new Date('2026-11-04T09:00:00+05:30') },
      'Bid start changed',
      '2026-11-03T03:30:00.000Z',
      '2026-11-04T03:30:00.000Z',
    ],
    [{ documents: [BOQ] }, { documents: [BOQ, DRAWING] }, 'Documents changed', null, 'Drawing (pdf)'],
    [{ documents: [BOQ, DRAWING] }, { documents: [BOQ] }, 'Documents changed', 'Drawing (pdf)', null],
    [{ documents: [BOQ] }, { documents: [DRAWING] }, 'Documents changed', 'BOQ (xls)', 'Drawing (pdf)'],
    [
      { documents: [] },
      { documents: [BOQ, DRAWING, { ...BOQ, type: '', name: 'Notice' }] },
      'Documents changed',
      null,
      'BOQ (xls); Drawing (pdf); Notice',
    ],
  ])('%j → %j', (before, after, title, old, now) => {
    const { corrigenda, kind } = compare(before, after);
    expect(corrigenda).toEqual([{ title, type: null, changes: [{ field: expect.any(String), old, new: now }] }]);
    expect(kind).toBe('other');
  });

  test('documents in another order or cover are no change', () => {
    const { corrigenda, kind } = compare(
      { documents: [BOQ, DRAWING] },
      { documents: [DRAWING, { ...BOQ, cover: 'Cover 2' }] },
    );
    expect(corrigenda).toEqual([]);
    expect(kind).toBeNull();
  });
});

describe('values that change only the history', () => {
  test.each<[Partial<SourceTender>, string[]]>([
    [{ title: 'Footbridge', description: 'Footbridge' }, ['title', 'description']],
    [{ place: 'Bharmour' }, ['district', 'place']],
    [{ organisationChain: ['PWD', 'South Zone'] }, ['organisation_chain']],
    [{ tenderFee: '590.00' }, ['tender_fee']],
    [{ publishedAt: new Date('2026-11-03T09:00:00+05:30') }, ['published_at']],
    [{ stage: 'cancelled' }, ['stage']],
    [{ preBidAt: new Date('2026-11-09T11:00:00+05:30') }, ['pre_bid_at']],
    [{ category: 'Goods' }, ['category']],
    [{ reference: 'NIT-9' }, ['reference']],
    [{ priceText: 'USD 5' }, ['price_text']],
    [{ state: 'Assam' }, ['state']],
    [{ organisationChain: ['HPSEBL', 'Central Zone'] }, ['organisation_chain', 'department']],
    [{ description: 'Footbridge over the khad' }, ['description']],
    [{ closingTimeKnown: false }, ['closing_time_known']],
    [{ contactDesignation: null }, ['contact_designation']],
  ])('%j', (after, fields) => {
    const { changes, corrigenda, kind } = compare({}, after);
    expect(changes.map(({ field }) => field)).toEqual(fields);
    expect(corrigenda).toEqual([]);
    expect(kind).toBeNull();
  });
});

describe('a corrigendum that the portal names', () => {
  const extension = { title: 'Extension', type: 'Date' };
  const technical = { title: 'Clarification', type: 'Technical Bid' };

  test('receives the changed values', () => {
    expect(compare({}, CLOSES, { named: [technical] })).toEqual({
      changes: [CLOSING_CHANGE],
      corrigenda: [{ ...technical, changes: [CLOSING_CHANGE] }],
      kind: 'date',
    });
  });

  test('has no values when none changed', () => {
    expect(compare({}, {}, { named: [technical] })).toEqual({
      changes: [],
      corrigenda: [{ ...technical, changes: [] }],
      kind: 'other',
    });
    expect(compare({}, {}, { named: [extension] }).kind).toBe('date');
  });

  test('sets no mark when it is a revocation or our own remark', () => {
    const named = ['Evaluation revoked', 'Noticed by Nivida'].map((type) => ({ title: 'Minutes', type }));
    expect(compare({}, {}, { named })).toEqual({
      changes: [],
      corrigenda: named.map((each) => ({ ...each, changes: [] })),
      kind: null,
    });
  });

  test('of the type Date with another change is marked as that change', () => {
    const { corrigenda, kind } = compare({}, { emd: '12000.00' }, { named: [extension] });
    expect(corrigenda).toEqual([{ ...extension, changes: [{ field: 'emd', old: '10000.00', new: '12000.00' }] }]);
    expect(kind).toBe('other');
  });

  test('receives the changed values also when a revocation or our own remark follows it', () => {
    const remark = { title: 'Publishing date changed', type: 'Noticed by Nivida' };
    const revoked = { title: 'Minutes', type: 'Evaluation revoked' };
    const { corrigenda, kind } = compare({}, CLOSES, { named: [technical, revoked, remark] });
    expect(corrigenda).toEqual([
      { ...technical, changes: [CLOSING_CHANGE] },
      { ...revoked, changes: [] },
      { ...remark, changes: [] },
    ]);
    expect(kind).toBe('date');
  });

  test('of any type with "date" in it changes the closing, when it has no values', () => {
    expect(compare({}, {}, { named: [{ title: 'Extension', type: 'DATE / TIME' }] }).kind).toBe('date');
    expect(compare({}, {}, { named: [{ title: 'Date extended', type: null }] }).kind).toBe('other');
  });

  test('leaves the mark to the changed date when only a revocation is named', () => {
    const revoked = { title: 'Minutes', type: 'Evaluation revoked' };
    const { corrigenda, kind } = compare({}, { ...CLOSES, emd: '12000.00' }, { named: [revoked] });
    expect(corrigenda.map(({ title, changes }) => [title, changes.map(({ field }) => field)])).toEqual([
      ['Minutes', []],
      ['Closing date changed', ['closing_date', 'emd']],
    ]);
    expect(kind).toBe('date');
  });

  test('is the newest of several when values changed', () => {
    const { corrigenda } = compare({}, CLOSES, { named: [technical, extension] });
    expect(corrigenda).toEqual([
      { ...technical, changes: [] },
      { ...extension, changes: [CLOSING_CHANGE] },
    ]);
  });
});

test('a row has the values of its notice, its derived place and terms, and its moved dates', () => {
  const tender = createSourceTender({
    place: 'Kalpa',
    organisationChain: ['HPPWD', 'Kalpa Division'],
    preBidAt: new Date('2026-11-09T11:00:00+05:30'),
    isPublishedInferred: true,
    corrigenda: [{ title: 'Extension', type: 'Date' }],
  });
  const prepared = prepareRow(tender, 'digest', 2, new Map());
  expect(prepared).toMatchObject({
    isPublishedInferred: true,
    corrigenda: [{ title: 'Extension', type: 'Date' }],
    row: {
      district: 'Kinnaur',
      district_confidence: 0.8,
      department: 'PWD',
      content_hash: 'digest',
      shift_days: 2,
      published_at: new Date('2026-11-04T09:00:00+05:30'),
      closes_at: new Date('2026-11-22T11:00:00+05:30'),
      pre_bid_at: new Date('2026-11-11T11:00:00+05:30'),
      opens_at: null,
    },
  });
  expect(prepareRow(createSourceTender(), 'digest', 0, new Map()).isPublishedInferred).toBe(false);
  // Found by the words of each field, also by the derived ones.
  for (const word of ['footbridg', 'kalpa', 'kinnaur', 'pwd']) expect(prepared.row.words).toContain(`'${word}`);
});

test('the digest of a notice differs with each of its values, also with those that are not compared', () => {
  const changed: Partial<SourceTender>[] = [
    { closesAt: new Date('2026-11-20T11:00:01+05:30') },
    { corrigenda: [{ title: 'Extension', type: null }] },
    { nitKey: 'nit-7' },
    { address: 'The Mall' },
    { stage: 'awarded' },
    { files: [] },
  ];
  const digests = [{}, ...changed].map((changes) => contentHash(createSourceTender(changes)));
  expect(new Set(digests).size).toBe(changed.length + 1);
  expect(contentHash(createSourceTender())).toBe(digests[0]);
});

test('a state that is not listed stops the import', () => {
  expect(() => row({ state: 'Atlantis' }, 0)).toThrow('unknown state Atlantis');
});

test('the department of a notice is that of its own offices, even if another notice has the same first office', () => {
  const departmentOf = (...organisationChain: string[]) => row({ organisationChain }, 0).department;
  expect(departmentOf('Zilla Office', 'Jal Shakti Vibhag')).toBe('Irrigation & Public Health');
  expect(departmentOf('Zilla Office', 'HPPWD')).toBe('PWD');
  expect(departmentOf('Zilla Office', 'Kufri Circle')).toBe('Zilla Office');
});
