/** Answers of older and newer servers, as this version reads them. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { portalInfo } from './portals.ts';
import { RegionListResponse, Tender, TenderListResponse, TenderSummary } from './tender.ts';
import { testTender, testTenderDetail } from './test-tender.ts';

describe('the document package of a tender', () => {
  test.each([
    [
      { kind: 'nit', works: 2 },
      { kind: 'nit', works: 2 },
    ],
    [
      { kind: 'nit-boq', works: 1 },
      { kind: 'nit-boq', works: 1 },
    ],
    [{ kind: 'hologram', works: 2 }, null],
    [{ kind: 'nit' }, null],
    [null, null],
  ])('%j is read as %j', (sent, read) => {
    expect(v.parse(Tender, { ...testTenderDetail(), document_package: sent }).document_package).toEqual(read);
  });
});

test('a row, a list and the regions are valid without their optional fields', () => {
  const row = testTender();
  expect(v.parse(TenderSummary, row)).toEqual(row);
  const list = {
    tenders: [row],
    data: [row],
    total: 1,
    total_full: 1,
    page: 1,
    limit: null,
    filter: { state: null, district: null, department: null, districts: [], departments: [], q: null },
    place: null,
    conditions: [],
    showing_for: null,
    words: [],
    demonstration: false,
  };
  expect(v.parse(TenderListResponse, list)).toEqual(list);
  const regions = {
    states: [{ state: 'Goa', slug: 'goa', open: 0, demonstration: false }],
    day: 20_557,
    fetched_at: null,
  };
  expect(v.parse(RegionListResponse, regions)).toEqual(regions);
});

test.each<[Partial<TenderSummary>]>([
  [{ emd: 23_500 as unknown as string }],
  [{ price: '1175000' as unknown as number }],
  [{ closing_date: '15 April 2026' }],
  [{ status: 'draft' as TenderSummary['status'] }],
  [{ last_corrigendum: 'title' as 'date' }],
])('a row with %j is no row', (changes) => {
  expect(v.is(TenderSummary, { ...testTender(), ...changes })).toBe(false);
});

test('a portal has the name and address of its home, an unknown one its key', () => {
  expect(portalInfo('hptenders')).toEqual({ name: 'hptenders.gov.in', address: 'https://hptenders.gov.in' });
  expect(portalInfo('assamtenders')).toEqual({ name: 'assamtenders.gov.in', address: 'https://assamtenders.gov.in' });
  expect(portalInfo('gem')).toEqual({ name: 'gem.gov.in', address: 'https://gem.gov.in' });
  expect(portalInfo('mahatenders')).toEqual({ name: 'mahatenders', address: null });
});
