// @vitest-environment node
import { listQueryString, parseListQuery } from '@nivida/contract/filter/tender-filter';
import { indianDay } from '@nivida/contract/format';
import type { TenderListResponse, TenderSummary } from '@nivida/contract/tenders/tender';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { describe, expect, test } from 'vitest';
import { currentSite } from './data/server/site.ts';
import { correctPage } from './data/stored-pages/correct-page.ts';
import { pageKey } from './data/stored-pages/stored-pages.ts';
import { renderPage } from './page.tsx';

const RENDERED_AT = new Date('2026-11-10T16:30:00+05:30');
const TENDER = testTender({
  _id: '7',
  title: 'Repair of the bridge',
  department: null,
  state: 'Goa',
  district: 'North Goa',
  published_date: '2026-11-01T04:30:00.000Z',
  closing_date: '2026-11-10T12:00:00.000Z',
  source_portal: 'https://eprocure.goa.gov.in',
  fetched_at: '2026-11-10T09:30:00.000Z',
});

/** Closing today, tomorrow, in four days, in nine days, at the end of a day; and a cancelled one. */
const LISTED = [
  { closing_date: '2026-11-10T12:00:00.000Z' },
  { closing_date: '2026-11-11T05:30:00.000Z' },
  { closing_date: '2026-11-14T05:30:00.000Z' },
  { closing_date: '2026-11-19T05:30:00.000Z' },
  { closing_date: '2026-11-12T18:29:59.000Z', closing_time_known: false },
  { closing_date: '2026-11-19T05:30:00.000Z', status: 'cancelled', stage: 'cancelled' },
].map((changed, index): TenderSummary => ({ ...TENDER, _id: String(index + 1), ...changed }) as TenderSummary);

const LIST: TenderListResponse = {
  tenders: LISTED,
  data: LISTED,
  total: LISTED.length,
  total_full: LISTED.length,
  page: 1,
  limit: 10,
  filter: { state: 'Goa', district: null, department: null, districts: [], departments: [], q: null },
  place: null,
  conditions: [],
  showing_for: null,
  words: [],
  demonstration: false,
};

/** The page as the server sends it. */
async function page(address: string, call: string, answer: unknown, at: Date): Promise<string> {
  const data = { call, at: at.toISOString(), answer };
  const html = await renderPage(address, { site: { ...currentSite(), payments: 'live' }, answer: data });
  expect(html).not.toBe('');
  const block = `<script type="application/json" id="answer">${JSON.stringify(data)}</script>`;
  return `<!doctype html><html lang="en-IN"><head>${block}</head><body><div id="root">${html}</div></body></html>`;
}

/** The texts with the tones of a page's closing labels. */
const labels = (html: string) =>
  [...html.matchAll(/data-tone="(\w+)" data-closes="[^"]*"[^>]*>(?:<time[^>]*>)?([^<]*)/g)].map(
    ([, tone, label]) => `${tone} ${label}`,
  );

/** The looks of the bars of home's chart, by hour. */
const barLooks = (html: string) => [...html.matchAll(/<li data-look="(\w+)"/g)].map(([, look]) => look);

/**
 * What can be read while the app's code loads: texts without those that are hidden, on a page of another day also those
 * that are true for a day.
 */
function readableTexts(html: string, hidden: 'minute' | 'day' = 'minute'): string {
  const root = html.slice(html.indexOf('<div id="root">'));
  const value = hidden === 'day' ? '(?:day)?' : '';
  const shown = root.replace(
    new RegExp(`<(\\w+)[^>]* data-clock(?:="${value}")?(?=[ />])[^>]*>.*?</\\1>(?:</span>)?`, 'gs'),
    '',
  );
  return shown
    .replaceAll('<!-- -->', '')
    .replace(/<[^>]*>/g, '|')
    .replace(/\|+/g, '|');
}

/** A tender of which the portal gives nothing but what a card shows. */
const FULL_TENDER = {
  ...Object.fromEntries(TENDER_FIELD_LIST.map(({ name }) => [name, null])),
  ...TENDER,
  nit_id: null,
  organisation_chain: ['PWD'],
  bid_start_date: '2026-11-01T05:30:00.000Z',
  opening_date: '2026-11-12T05:30:00.000Z',
  pre_bid_date: null,
  documents: [],
  document_package: null,
  other_sources: [],
  nit_siblings: [],
  corrigenda: [],
  district_confidence: 1,
  version: 1,
  updated_at: '2026-11-10T09:30:00.000Z',
};
const LIST_CALL = `api/tenders?${listQueryString(parseListQuery(new URLSearchParams('state=Goa')))}`;
const listAt = (at: Date) => page('/tenders/results?state=Goa', LIST_CALL, LIST, at);

describe('a stored list', () => {
  test('is sent as it is within a minute', async () => {
    const html = await listAt(RENDERED_AT);
    expect(correctPage(html, new Date(RENDERED_AT.getTime() + 59_000))).toBe(html);
  });

  test('never says of a tender that it closes today when it has closed, or closes tomorrow when it is tomorrow', async () => {
    const html = await listAt(RENDERED_AT);
    expect(labels(html)).toEqual([
      'today Closing today · 5:30 PM',
      'red Closing tomorrow · 11:00 AM',
      'amber 4 days left · 11:00 AM',
      'green 9 days remaining · 11:00 AM',
      'red 2 days left · time not stated',
      'gray Closed',
      // the preview of the first one
      'today Closing today · 5:30 PM',
    ]);
    expect(labels(correctPage(html, new Date('2026-11-11T09:00:00+05:30')))).toEqual([
      'gray Closed',
      'today Closing today · 11:00 AM',
      'red 3 days left · 11:00 AM',
      'green 8 days remaining · 11:00 AM',
      'red Closing tomorrow · time not stated',
      'gray Closed',
      'gray Closed',
    ]);
  });

  test('shows when it was saved', async () => {
    const html = correctPage(await listAt(RENDERED_AT), new Date('2026-11-11T09:00:00+05:30'));
    expect(html).toContain('<html data-saved="Saved Tue 10 Nov, 4:30 PM" data-clock-hidden="day" lang="en-IN">');
  });

  test.each([
    '2026-11-10T17:29:00+05:30',
    '2026-11-10T17:30:00+05:30',
    '2026-11-13T00:00:00+05:30',
    '2026-11-17T08:00:00+05:30',
  ])('reads like the page that the server renders at %s, except for what is hidden', async (then) => {
    const stored = correctPage(await listAt(RENDERED_AT), new Date(then));
    expect(readableTexts(stored)).toBe(readableTexts(await listAt(new Date(then))));
  });
});

describe('a stored tender', () => {
  const tenderAt = (at: Date) => page('/tenders/7', 'api/tenders/7', { success: true, tender: FULL_TENDER }, at);

  test.each(['2026-11-10T17:29:00+05:30', '2026-11-10T17:30:00+05:30', '2026-11-11T00:00:00+05:30'])(
    'reads like the page that the server renders at %s, except for what is hidden',
    async (then) => {
      const stored = correctPage(await tenderAt(RENDERED_AT), new Date(then));
      expect(labels(stored)).toEqual(labels(await tenderAt(new Date(then))));
      expect(readableTexts(stored)).toBe(readableTexts(await tenderAt(new Date(then))));
    },
  );
});

describe('the stored home page', () => {
  const GOA = { state: 'Goa', slug: 'goa', open: 1_200, demonstration: false, fresh: 4 };
  // 2 close at 17:00, 1 at 17:30, 1,000 at 18:00, 7 at an hour that is not stated
  const closing = [
    [1_020, 2],
    [1_050, 1],
    [1_080, 1_000],
    [1_440, 7],
  ];
  const counts = { day: indianDay(RENDERED_AT), states: [{ ...GOA, closing }], fetched_at: RENDERED_AT.toISOString() };
  const homeAt = (at: Date) => page('/', 'api/regions', counts, at);
  const storedAt = async (then: string) => correctPage(await homeAt(RENDERED_AT), new Date(then));

  test.each([
    ['2026-11-10T16:59:59+05:30', '1,010', '5 PM: 3 close|3'],
    ['2026-11-10T17:00:00+05:30', '1,008', '5 PM: 1 of 3 still close|2|1'],
    ['2026-11-10T17:30:00+05:30', '1,007', '5 PM: 3 closed|3'],
    ['2026-11-10T18:00:00+05:30', '7', '6 PM: 1000 closed|1000'],
  ])('at %s shows that %s still close today, and its bars', async (then, left, bar) => {
    const stored = await storedAt(then);
    expect(readableTexts(stored)).toContain(`|still close today|${left}|`);
    expect(readableTexts(stored)).toContain(`|${bar}|`);
    const present = await homeAt(new Date(then));
    expect(readableTexts(stored)).toBe(readableTexts(present));
    expect(barLooks(stored)).toEqual(barLooks(present));
  });

  test('has red for the next hour only', async () => {
    const looks = barLooks(await storedAt('2026-11-10T17:45:00+05:30'));
    expect(looks).toEqual([...Array.from({ length: 9 }, () => 'gone'), 'next']);
  });

  test('on the next day shows no figure of the day before', async () => {
    const stored = await storedAt('2026-11-11T09:00:00+05:30');
    expect(stored).toContain(' data-clock-hidden="day" ');
    const labels = '|tenders open now|still close today|new since yesterday|Closing today, by hour|State|Goa|Services|';
    expect(readableTexts(stored, 'day')).toContain(labels);
  });
});

describe('the address of a page that is stored', () => {
  const SITE = 'https://nivida.example';

  test.each([
    ['/', '/'],
    ['/?src=pwa', '/'],
    ['/tenders/results?state=Goa&page=2#top', '/tenders/results?state=Goa&page=2'],
    ['/tenders/7#documents', '/tenders/7'],
  ])('%s is %s', (address, key) => {
    expect(pageKey(SITE + address)).toBe(SITE + key);
  });

  test.each([
    '/dashboard',
    '/bookmarks',
    '/notices',
    '/payment-status?id=1',
    '/pricing',
    '/tenders/7/bookmark',
    '/tenders/results?state=Goa&open=0',
  ])('is none for %s, which the app renders', (address) => {
    expect(pageKey(SITE + address)).toBeNull();
  });
});
