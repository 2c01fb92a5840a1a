// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { DocumentHits } from '@nivida/contract/documents/document-hits';
import type { TenderReading } from '@nivida/contract/documents/tender-reading';
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { testTender, testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../../ui/test-page.tsx';
import { InDocuments } from './InDocuments.tsx';

const NOW = new Date();
const LATER = new Date(NOW.getTime() + 86_400_000).toISOString();
const FOUND: DocumentHits = {
  total: 12,
  words: [{ typed: 'rock', alternatives: ['rock'] }],
  hits: [
    {
      file: 'boq.xls',
      page: null,
      item: '1.2',
      snippet: '… hard rock …',
      tender: testTender({ _id: '1', title: 'Road' }),
    },
    { file: 'boq.xls', page: null, item: '', snippet: 'rock', tender: testTender({ _id: '2', title: 'Culvert' }) },
    { file: 'nit.pdf', page: 4, item: null, snippet: 'cut in rock', tender: testTender({ _id: '3', title: 'Steps' }) },
  ],
};

let page: TestPage;
let answer: (query: URLSearchParams) => Response;
let number = 0;

beforeEach(() => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    return pathname === '/api/tenders/in-documents' ? answer(searchParams) : new Response('', { status: 404 });
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Shows the section of a search; each search is asked for once. */
async function show(address: string): Promise<void> {
  number += 1;
  const search = parseListQuery(new URLSearchParams(address));
  page = await openTestPage(
    <InDocuments search={search} now={NOW} renderBookmark={({ _id }) => `bookmark ${_id}`} />,
    `/tenders/results?${number}`,
  );
}
const offline = () => {
  throw new TypeError('Failed to fetch');
};

describe('the answer of the server', () => {
  test('names for each tender where the words stand, and marks them', async () => {
    answer = () => Response.json(FOUND);
    await show('q=rock');
    await expect.poll(() => page.texts('h2')).toEqual(['12 tenders have all words only in their documents']);
    expect(page.texts('h3')).toEqual(['Road', 'Culvert', 'Steps']);
    expect(page.texts('li > p')).toEqual([
      'Found in the BOQ, item 1.2: … hard rock …',
      'Found in the BOQ: rock',
      'Found in the document, p. 4: cut in rock',
    ]);
    expect(page.texts('li > p mark')).toEqual(['rock', 'rock', 'rock']);
    expect(page.text()).toContain('Official documents whose text could be read were searched. The first 3 are shown.');
    expect(page.text()).toContain('bookmark 2');
  });

  test('shows nothing when there is no hit', async () => {
    const asked: string[] = [];
    answer = (query) => {
      asked.push(query.get('q') ?? '');
      return Response.json({ total: 0, hits: [], words: [] });
    };
    await show('q=granite');
    await expect.poll(() => asked).toEqual(['granite']);
    expect(page.page.innerHTML).toBe('');
  });
});

describe('without a connection', () => {
  const reading = (text: string): TenderReading => ({
    files: [
      {
        ...{ id: '1', name: 'boq.xls', kind: 'boq', sha256: '', state: 'done', pages: null },
        ...{ unreadPages: [], readAt: null, isOwn: false },
      },
    ],
    facts: [],
    boqs: [
      {
        fileId: '1',
        summary: {
          ...{ kind: 'percentage', items: 1, isLumpSum: true, totalPaise: null, statedTotalPaise: null },
          totalState: 'unknown',
        },
        boq: {
          ...{ kind: 'percentage', sheet: 'BoQ1', statedTotal: null, offeredPercent: null },
          items: [{ row: 12, no: '3', text, unit: 'cum', quantity: '1', rate: null, offered: null }],
        },
        changes: null,
      },
    ],
  });
  const store = (owner: string, tenderId: string, text: string, changes: Parameters<typeof testTenderDetail>[0] = {}) =>
    withDatabase(async (db) => {
      const tender = testTenderDetail({
        _id: tenderId,
        title: 'Link road',
        description: '',
        closing_date: LATER,
        ...changes,
      });
      await db.tenders.put({ id: tenderId, tender, savedAt: 1 });
      await db.readings.put({ owner, tenderId, reading: reading(text), version: '', savedAt: 1 });
    });

  test('the readings of the user on this phone are searched, and the section says so', async () => {
    answer = offline;
    await store('1', '11', 'Cutting in hard rock');
    await store('1', '12', 'Cutting in hard rock', { title: 'Hard rock cutting' });
    await store('1', '13', 'Cutting in hard rock', { state: 'Assam' });
    await store('1', '14', 'Cutting in hard rock', { closing_date: '2020-01-01T00:00:00Z' });
    await store('1', '15', 'Filling with sand');
    await store('2', '16', 'Cutting in hard rock');
    signInForTest('1');
    await show('q=hard+rock&state=Himachal+Pradesh');
    await expect.poll(() => page.texts('h2')).toEqual(['1 tender has all words only in its documents']);
    expect(page.texts('a')).toEqual(['Link road']);
    expect(page.page.querySelector('a')?.getAttribute('href')).toBe('/tenders/11');
    expect(page.texts('li > p')).toEqual(['Found in the BOQ, item 3: … hard rock']);
    expect(page.text()).toContain('Only the documents that are saved on this phone were searched.');
  });

  test('a search with other filters is left to the server', async () => {
    answer = offline;
    await store('1', '11', 'Cutting in hard rock');
    signInForTest('1');
    const { findOnDevice } = await import('./device-hits.ts');
    const find = (query: string) =>
      withDatabase((db) => findOnDevice(db, '1', parseListQuery(new URLSearchParams(query)), NOW));
    expect((await find('q=hard+rock')).total).toBe(1);
    expect((await find('q=hard+rock&min=100000')).total).toBe(0);
    expect((await find('q=hard+rock+below+10+lakh')).total).toBe(0);
    expect((await find('q=hard+rock&open=0')).total).toBe(0);
  });
});
