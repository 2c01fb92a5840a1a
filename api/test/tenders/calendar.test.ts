import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let app: TestApp;
let ids: Map<string, string>;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { PUBLIC_ORIGIN: 'https://nivida.example' } });
  const notices = [
    createSourceTender({ title: 'Retaining wall, drain; road \\ km 0/0' }),
    createSourceTender({ sourceId: '2026_PWD_100002_1', publishedAt: new Date('2026-11-12T17:00:00+05:30') }),
  ];
  await importTenders(app.database.dataSource, notices, { now: NOW });
  const rows: { id: string; source_id: string }[] = await app.database.dataSource.query(
    'SELECT id::text AS id, source_id FROM tender',
  );
  ids = new Map(rows.map((row) => [row.source_id, row.id]));
});
afterAll(() => app.close());

const events = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => new ICAL.Event(event));

describe('GET /api/tenders/{id}.ics', () => {
  test('returns a calendar file named by the portal id', async () => {
    const answer = await app.get(`/api/tenders/${ids.get('2026_PWD_100001_1')}.ics`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="nivida-2026_PWD_100001_1.ics"');
    expect(answer.headers['cache-control']).toBe('no-cache');
  });

  test('contains the closing with two alarms and the address of the tender', async () => {
    const id = ids.get('2026_PWD_100001_1');
    const [event] = events((await app.get(`/api/tenders/${id}.ics`)).text);
    expect(event?.startDate.toJSDate().toISOString()).toBe('2026-11-20T05:30:00.000Z');
    expect(event?.summary).toBe('Bid closes: Retaining wall, drain; road \\ km 0/0');
    expect(event?.description).toBe(
      [
        'Tender ID: 2026_PWD_100001_1',
        'Organisation: PWD',
        'Closing: 20 Nov 2026, 11:00 AM',
        'EMD: ₹10,000.00',
        'Portal: hptenders.gov.in',
        `https://nivida.example/tenders/${id}`,
        "The portal's clock decides.",
      ].join('\n'),
    );
    expect(event?.component.getAllSubcomponents('valarm')).toHaveLength(2);
  });

  test('is in the language of the request, with the page of that language', async () => {
    const id = ids.get('2026_PWD_100001_1');
    const answer = await app.get(`/api/tenders/${id}.ics`, { 'accept-language': 'hi-IN,hi;q=0.9,en;q=0.8' });
    const [event] = events(answer.text);
    expect(event?.summary).toBe('टेंडर बंद होगा: Retaining wall, drain; road \\ km 0/0');
    expect(event?.description.split('\n').slice(2)).toEqual([
      'अंतिम तिथि: 20 नवंबर 2026, सुबह 11:00 बजे तक',
      'EMD: ₹10,000.00',
      'पोर्टल: hptenders.gov.in',
      `https://nivida.example/hi/tenders/${id}`,
      'पोर्टल की घड़ी का समय माना जाता है।',
    ]);
    expect(event?.component.getFirstPropertyValue('url')).toBe(`https://nivida.example/hi/tenders/${id}`);
  });

  test('an unchanged file is not sent again', async () => {
    const url = `/api/tenders/${ids.get('2026_PWD_100001_1')}.ics`;
    const { headers } = await app.get(url);
    app.clock.now = new Date(NOW.getTime() + 60_000);
    const again = await app.get(url, { 'if-none-match': headers.etag ?? '' });
    app.clock.now = NOW;
    expect(again.status).toBe(304);
  });

  test('does not change the tender itself, which is JSON', async () => {
    const answer = await app.get(`/api/tenders/${ids.get('2026_PWD_100001_1')}`);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json.tender.source_tender_id).toBe('2026_PWD_100001_1');
  });

  test.each([['999999999'], ['0'], ['2147483648'], ['abc'], ['search'], ['1.5'], ['%20'], ['a%2Fb']])(
    '%s.ics is answered as a tender that is not there',
    async (id) => {
      const answer = await app.get(`/api/tenders/${id}.ics`);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'NOT_FOUND', message: 'Tender not found' });
    },
  );

  test('a draft has no calendar file before it is published', async () => {
    const answer = await app.get(`/api/tenders/${ids.get('2026_PWD_100002_1')}.ics`);
    expect(answer.status).toBe(404);
  });
});
