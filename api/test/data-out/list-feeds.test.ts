import { type FeedFormat, feedPath } from '@nivida/contract/data-out/feed-addresses';
import { EMPTY_FILTER, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { parse as parseCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import ICAL from 'ical.js';
import { parse as parseHtml } from 'parse5';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HideTendersService } from '../../src/tenders/hide-tenders.service.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { type ApiResponse, startApp, type TestApp } from '../support/start-app.ts';
import { generatedTenders } from './generated-tenders.ts';
import { xmlElements } from './xml-elements.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ORIGIN = 'https://nivida.example';
const COUNT = 300;

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { PUBLIC_ORIGIN: ORIGIN } });
  await importTenders(app.database.dataSource, generatedTenders(NOW, COUNT, 7), { now: NOW });
  await importTenders(
    app.database.dataSource,
    [createSourceTender({ sourceId: '2026_FALSE_1_1', title: 'A false tender' })],
    {
      now: NOW,
    },
  );
  const [{ id }] = await app.database.dataSource.query("SELECT id FROM tender WHERE source_id = '2026_FALSE_1_1'");
  await app.app.get(HideTendersService).hide(id, { actorId: null, reason: 'A false tender' });
});
afterAll(() => app.close());

const csvRows = (text: string): Record<string, string>[] => parseCsv(text, { columns: true, bom: true });
const events = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));

/** The ids of a feed's tenders in their order. */
const READERS: Record<FeedFormat, (answer: ApiResponse) => string[]> = {
  atom: ({ text }) => xmlElements(text, 'entry').map((entry) => /\/tenders\/(\d+)"/.exec(entry)?.[1] ?? ''),
  csv: ({ text }) => csvRows(text).map(({ id }) => id ?? ''),
  ics: ({ text }) =>
    events(text).map(({ component }) => /(\d+)$/.exec(String(component.getFirstPropertyValue('url')))?.[1] ?? ''),
};
const FORMATS = Object.keys(READERS) as FeedFormat[];
const LIMITS: Record<FeedFormat, number> = { atom: 100, csv: 1_000, ics: 1_000 };

/** Each word, filter and order that a list has. */
const parameters = {
  state: fc.constantFrom('himachal-pradesh', 'Assam', 'nowhere'),
  q: fc.constantFrom('road', 'link road', 'सड़क', 'drain below 50 lakh', 'rode', 'zzzz', 'wall no emd'),
  min: fc.constantFrom('1000000', '50000000'),
  max: fc.constantFrom('90000000'),
  within: fc.constantFrom('0', '7', '20'),
  published_within: fc.constantFrom('1', '5'),
  category: fc.constantFrom('Works', 'Goods'),
  open: fc.constantFrom('0', '1'),
  sort: fc.constantFrom('price', 'closing_date', 'published_date', 'relevance'),
  order: fc.constantFrom('asc', 'desc'),
};
/** Up to three of them. */
const queries = fc
  .tuple(fc.record(parameters), fc.subarray(Object.keys(parameters), { maxLength: 3 }))
  .map(([values, names]) =>
    new URLSearchParams(Object.entries(values).filter(([name]) => names.includes(name))).toString(),
  );

describe('a feed', () => {
  test('equals its list for generated filters: the same tenders in the same order, in each format', async () => {
    let found = 0;
    for (const query of fc.sample(queries, { numRuns: 60, seed: 11 })) {
      for (const format of FORMATS) {
        const limit = LIMITS[format] === 100 ? '&limit=100' : '';
        const list = await app.get(`/api/tenders?${query}${limit}`);
        const feed = await app.get(`/feeds/tenders.${format}?${query}`);
        expect(feed.status).toBe(200);
        const ids = list.json.tenders.map(({ _id }: { _id: string }) => _id);
        expect(READERS[format](feed), `${format} ${query}`).toEqual(ids);
        found += ids.length;
      }
    }
    expect(found).toBeGreaterThan(1_000);
  });

  test('of all open tenders has at most 100 entries in Atom, and all rows in the others', async () => {
    const { json } = await app.get('/api/tenders?limit=1');
    expect(json.total).toBeGreaterThan(100);
    const counts = await Promise.all(
      FORMATS.map(async (format) => READERS[format](await app.get(`/feeds/tenders.${format}`)).length),
    );
    expect(counts).toEqual([100, json.total, json.total]);
  });

  test.each(FORMATS)('in %s has no hidden tender', async (format) => {
    const { text } = await app.get(`/feeds/tenders.${format}?q=2026_FALSE_1_1`);
    expect(text).not.toContain('A false tender');
  });

  test.each(FORMATS)('in %s says what it is, and is not for search engines', async (format) => {
    const { headers } = await app.get(`/feeds/tenders.${format}`);
    const type = { atom: 'application/atom+xml', csv: 'text/csv', ics: 'text/calendar' }[format];
    expect(headers).toMatchObject({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      'x-robots-tag': 'noindex',
    });
  });

  test.each(FORMATS)('in %s is not sent again while nothing has changed', async (format) => {
    const { headers } = await app.get(`/feeds/tenders.${format}?state=assam`);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    const again = await app.get(`/feeds/tenders.${format}?state=assam`, { 'if-none-match': headers.etag ?? '' });
    app.clock.now = NOW;
    expect(again.status).toBe(304);
  });

  test.each([
    ['', 'Tenders in Himachal Pradesh'],
    ['&lang=hi', 'हिमाचल प्रदेश के टेंडर'],
    ['&district=una', 'Tenders in Una, Himachal Pradesh'],
  ])('has the name of a state that is asked for by its slug, %s', async (query, title) => {
    const { text } = await app.get(`/feeds/tenders.atom?state=himachal-pradesh${query}`);
    expect(text).toContain(`<title>Nivida: ${title}</title>`);
    const { text: named } = await app.get(`/feeds/tenders.atom?state=Himachal+Pradesh${query}`);
    const own = /<link rel="self".*/;
    expect(text.replace(own, '')).toBe(named.replace(own, ''));
  });

  test.each(['lang=fr', 'open=2', 'sort=title', 'q=a&q=b'])('refuses %s', async (query) => {
    expect((await app.get(`/feeds/tenders.atom?${query}`)).status).toBe(400);
  });

  test('of an unknown place or format has no entries, or is not there', async () => {
    expect(READERS.atom(await app.get('/feeds/tenders.atom?state=nowhere'))).toEqual([]);
    expect((await app.get('/feeds/tenders.rss')).status).toBe(404);
  });
});

describe('an entry', () => {
  const first = async (query = '') =>
    xmlElements((await app.get(`/feeds/tenders.atom?state=assam${query}`)).text, 'entry')[0] ?? '';

  test('keeps its id when the tender changes, and gets the time of the change', async () => {
    const id = (entry: string) => /<id>([^<]+)<\/id>/.exec(entry)?.[1];
    const changed = createSourceTender({ sourceId: '2026_PWD_777777_1', title: 'Zebra crossing' });
    await importTenders(app.database.dataSource, [changed], { now: NOW });
    const read = async () =>
      xmlElements((await app.get('/feeds/tenders.atom?q=zebra&literal=all')).text, 'entry')[0] ?? '';
    const before = await read();
    const later = new Date(NOW.getTime() + 3_600_000);
    await importTenders(app.database.dataSource, [{ ...changed, price: '900000.00' }], { now: later });
    const after = await read();
    expect(id(before)).toBe('tag:nivida.example,2026:hptenders/2026_PWD_777777_1');
    expect(id(after)).toBe(id(before));
    expect(after).toContain('<updated>2026-11-10T07:00:00+00:00</updated>');
    expect(before).toContain('<updated>2026-11-10T06:00:00+00:00</updated>');
  });

  test('escapes what XML reads, and has no characters that it forbids', async () => {
    const title = 'Drain & <b>wall</b> \u0007 "road" ]]>';
    await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_888888_1', title })], {
      now: NOW,
    });
    const { text } = await app.get('/feeds/tenders.atom?q=2026_PWD_888888_1');
    expect(text).toContain('<title>Drain &amp; &lt;b&gt;wall&lt;/b&gt;  &quot;road&quot; ]]&gt;</title>');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about them
    expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
  });

  test('is in the language of the address, with the page of that language', async () => {
    const hindi = await first('&lang=hi');
    expect(hindi).toContain(`href="${ORIGIN}/hi/tenders/`);
    expect(hindi).toContain('अंतिम तिथि');
    expect(await first()).toContain('Closing: ');
  });
});

describe('the CSV', () => {
  test('has no cell that a spreadsheet reads as a formula', async () => {
    const rows = csvRows((await app.get('/feeds/tenders.csv')).text);
    const cells = rows.flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+@\t\r]|^-(?!\d)/.test(cell))).toEqual([]);
    expect(rows.some(({ title }) => title === '\'=HYPERLINK("https://evil.example")')).toBe(true);
  });

  test('has times of India and plain numbers', async () => {
    const [row] = csvRows((await app.get('/feeds/tenders.csv?q=2026_PWD_777777_1')).text);
    expect(row).toMatchObject({
      portal: 'hptenders',
      value: '900000',
      emd: '10000.00',
      closing: '2026-11-20T11:00:00+05:30',
      closing_hour_known: 'true',
      demonstration: 'false',
    });
  });
});

describe('the calendar', () => {
  test('has closings in Indian time, and a whole day where the hour is not stated', async () => {
    const notices = [
      createSourceTender({ sourceId: '2026_CAL_1_1', title: 'Giraffe house' }),
      createSourceTender({
        sourceId: '2026_CAL_2_1',
        title: 'Giraffe fence',
        closesAt: new Date('2026-11-21T23:59:59+05:30'),
        closingTimeKnown: false,
      }),
    ];
    await importTenders(app.database.dataSource, notices, { now: NOW });
    const { text } = await app.get('/feeds/tenders.ics?q=giraffe&sort=closing_date&literal=all');
    expect(text).toContain('DTSTART;TZID=Asia/Kolkata:20261120T110000\r\nDURATION:PT0S\r\n');
    expect(text).toContain('DTSTART;VALUE=DATE:20261121\r\n');
    expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
    expect(text).not.toContain('VALARM');
    const [house, fence] = events(text);
    expect(house?.startDate.toJSDate().toISOString()).toBe('2026-11-20T05:30:00.000Z');
    expect(house?.uid).toBe('hptenders-2026_CAL_1_1@nivida');
    expect(fence?.startDate.isDate).toBe(true);
    expect(house?.summary).toBe('Bid closes: Giraffe house');
  });

  test('has lines of at most 75 bytes', async () => {
    const { text } = await app.get('/feeds/tenders.ics?lang=hi');
    const longest = Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThanOrEqual(75);
  });
});

describe('the address of a feed', () => {
  const search: TenderListQuery = {
    ...{ ...EMPTY_FILTER, state: 'Himachal Pradesh', q: 'road & wall', districts: ['Una'] },
    ...{ sort: 'relevance', order: 'desc', page: 3 },
  };

  test('asks for the newest tenders in Atom, for the next closings in a calendar and for the shown order in CSV', () => {
    expect(FORMATS.map((format) => feedPath(format, search, 'en'))).toEqual([
      '/feeds/tenders.atom?state=Himachal+Pradesh&district=Una&q=road+%26+wall&sort=published_date&order=desc',
      '/feeds/tenders.csv?state=Himachal+Pradesh&district=Una&q=road+%26+wall',
      '/feeds/tenders.ics?state=Himachal+Pradesh&district=Una&q=road+%26+wall&sort=closing_date&order=asc',
    ]);
    expect(feedPath('csv', { ...search, state: '', districts: [], q: '', sort: 'price' }, 'hi')).toBe(
      '/feeds/tenders.csv?lang=hi',
    );
  });

  test('is well-formed XML', async () => {
    const { text } = await app.get('/feeds/tenders.atom');
    expect(text.startsWith('<?xml version="1.0" encoding="utf-8"?>\n<feed ')).toBe(true);
    expect(parseHtml(text)).toBeDefined();
  });
});
