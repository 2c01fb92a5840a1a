// @vitest-environment node
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { expect, test } from 'vitest';
import { buildSegmentIndex } from './build-segment-index.ts';
import { readTender, readTenderSummary } from './read-tender.ts';
import { SegmentIndex } from './segment-index.ts';

const at = (text: string) => Date.parse(text);
const NOW = new Date('2026-04-13T05:30:00Z');
const CHECKED = { hptenders: '2026-04-12T05:30:00.000Z' };

const LIST = {
  id: [3, 7],
  title: ['Drain in Ward No. 07', 'पुल, चंबा'],
  orgName: ['HPPWD', 'Jal Shakti'],
  state: ['Himachal Pradesh', 'Assam'],
  district: ['Solan', null],
  secondDistrict: ['Sirmaur', null],
  isListed: [null, true],
  department: ['PWD', null],
  category: ['Works', null],
  price: [250_000.5, null],
  priceText: [null, '12 USD'],
  emd: ['5000.00', null],
  publishedAt: [at('2026-04-01T05:30:00Z'), at('2026-04-02T05:30:00Z')],
  bidStartAt: [null, at('2026-04-14T05:30:00Z')],
  closesAt: [at('2026-04-15T05:30:00Z'), at('2026-04-16T05:30:00Z')],
  closingTimeKnown: [true, false],
  stage: ['published', 'published'],
  lastCorrigendum: [null, 'date'],
  demonstration: [false, true],
  portal: ['hptenders', 'assamtenders'],
  sourceTenderId: ['2026_PWD_5_1', '2026_JSV_6_1'],
  nitWorks: [1, 4],
} as unknown as ListRows;
/** Each field of the table has a value of its own. */
const FIELDS = Object.fromEntries(
  TENDER_FIELD_LIST.map(({ key, type }, index) => {
    const values = { text: `Text ${index}`, rupees: `${index}00.00`, number: index, boolean: true };
    return [key, [values[type], null]];
  }),
);
const OTHER_SOURCE = {
  ...{ portal: 'eprocure', closing_date: '2026-04-15T05:30:00.000Z', closing_time_known: true, stage: 'published' },
};
const DETAILS = {
  ...FIELDS,
  id: [3, 7],
  description: ['A drain of 40 m', ''],
  reference: ['NIT-7', null],
  nitId: ['nit', null],
  organisationChain: [['HPPWD', 'Solan'], []],
  opensAt: [at('2026-04-16T06:30:00Z'), null],
  preBidAt: [at('2026-04-05T06:30:00Z'), null],
  documents: [[{ cover: 'Finance', type: 'xls', name: 'BOQ' }], []],
  corrigenda: [[{ title: 'Extension', type: null, noticed_at: '2026-04-10T05:30:00.000Z', changes: [] }], []],
  districtConfidence: [0.8, null],
  version: [3, 1],
  updatedAt: [at('2026-04-11T05:30:00Z'), at('2026-04-03T05:30:00Z')],
  documentPackage: [{ kind: 'nit', works: 2 }, null],
  otherSources: [[OTHER_SOURCE], null],
} as unknown as DetailRows;

const FIRST = {
  ...{ _id: '3', title: 'Drain in Ward No. 07', description: 'A drain of 40 m', org_name: 'HPPWD' },
  ...{ department: 'PWD', category: 'Works', state: 'Himachal Pradesh', district: 'Solan', stage: 'published' },
  second_district: 'Sirmaur',
  is_listed: false,
  ...{ status: 'active', bid_start_date: null, closing_date: '2026-04-15T05:30:00.000Z', closing_time_known: true },
  ...{ price: 250_000.5, price_text: null, emd: '5000.00', published_date: '2026-04-01T05:30:00.000Z' },
  ...{ source_portal: 'hptenders', source_tender_id: '2026_PWD_5_1', reference_number: 'NIT-7', nit_works: 1 },
  ...{ last_corrigendum: null, fetched_at: '2026-04-12T05:30:00.000Z', demonstration: false },
};
const SECOND = {
  ...{ _id: '7', title: 'पुल, चंबा', description: 'पुल, चंबा', org_name: 'Jal Shakti' },
  ...{ department: null, category: null, state: 'Assam', district: null, stage: 'published' },
  second_district: null,
  is_listed: true,
  ...{ status: 'upcoming', bid_start_date: '2026-04-14T05:30:00.000Z' },
  ...{ closing_date: '2026-04-16T05:30:00.000Z', closing_time_known: false },
  ...{ price: null, price_text: '12 USD', emd: null, published_date: '2026-04-02T05:30:00.000Z' },
  ...{ source_portal: 'assamtenders', source_tender_id: '2026_JSV_6_1', reference_number: null, nit_works: 4 },
  // never compared: the time of its publication
  ...{ last_corrigendum: 'date', fetched_at: '2026-04-02T05:30:00.000Z', demonstration: true },
};
const tableFields = (row: 0 | 1) =>
  Object.fromEntries(TENDER_FIELD_LIST.map(({ key, name }) => [name, (FIELDS[key] as unknown[])[row]]));

test('a tender of a pack has each field as the server sends it', () => {
  const segment = SegmentIndex.open(buildSegmentIndex(LIST, DETAILS));
  const siblings = [{ _id: '9', title: 'Second work', source_tender_id: '2026_PWD_9_1' }];
  expect(readTender({ segment, row: 0 }, siblings, CHECKED, NOW)).toEqual({
    ...FIRST,
    ...tableFields(0),
    ...{ nit_id: 'nit', organisation_chain: ['HPPWD', 'Solan'], opening_date: '2026-04-16T06:30:00.000Z' },
    ...{ pre_bid_date: '2026-04-05T06:30:00.000Z', documents: DETAILS.documents[0], corrigenda: DETAILS.corrigenda[0] },
    ...{ document_package: { kind: 'nit', works: 2 }, nit_siblings: siblings, district_confidence: 0.8, version: 3 },
    other_sources: [OTHER_SOURCE],
    updated_at: '2026-04-11T05:30:00.000Z',
  });
  expect(readTender({ segment, row: 1 }, [], CHECKED, NOW)).toEqual({
    ...SECOND,
    ...tableFields(1),
    ...{ nit_id: null, organisation_chain: [], opening_date: null, pre_bid_date: null, documents: [], corrigenda: [] },
    ...{ document_package: null, other_sources: [], nit_siblings: [], district_confidence: null, version: 1 },
    updated_at: '2026-04-03T05:30:00.000Z',
  });
});

test('a card of a pack without details has what its list has', () => {
  const segment = SegmentIndex.open(buildSegmentIndex(LIST, null));
  const none = { pincode: null, address: null, bid_opening_place: null, reference_number: null };
  expect(readTenderSummary({ segment, row: 0 }, CHECKED, NOW)).toEqual({
    ...FIRST,
    ...none,
    description: 'Drain in Ward No. 07',
  });
  expect(readTenderSummary({ segment, row: 1 }, CHECKED, NOW)).toEqual({ ...SECOND, ...none });
});
