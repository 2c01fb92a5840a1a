// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { requestedIds } from '../../features/documents/requests.ts';
import { Documents } from '../../features/tender/documents/Documents.tsx';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { type TenderDocuments, useTenderDocuments } from './useTenderDocuments.ts';

const NOW = new Date('2026-04-12T09:00:00+05:30');

let onLine: MockInstance<() => boolean>;
/** The calls that write. */
let writes: string[];
let documents: TenderDocuments;

beforeEach(() => {
  writes = [];
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'GET')
      writes.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({});
  });
});
afterEach(async () => {
  await closeTestPages();
  stopOutbox();
  vi.restoreAllMocks();
  clearSession();
  while (useToast.getState().current) dismissToast();
  await closeDatabase();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** A tender without a package of documents. */
function DocumentsOf({ id, isOwned = false }: { id: string; isOwned?: boolean }) {
  documents = useTenderDocuments(testTenderDetail({ _id: id }), NOW, isOwned);
  return null;
}
const ask = () => act(async () => documents.ask());
const send = () => act(async () => documents.send('asha@example.in'));
const way = () => documents.action.way;
const toast = () => useToast.getState().current?.text;

test('a signed-in user asks for missing documents at once; without a connection the request waits', async () => {
  signInForTest('7');
  onLine.mockReturnValue(false);
  const page = await openTestPage(<DocumentsOf id="42" />);
  expect([way(), documents.isAsking]).toEqual(['ask', false]);
  await ask();
  await expect
    .poll(() => documents.action)
    .toEqual({ way: 'asked', note: 'Saved on this phone. Sent when there is a connection.' });
  await expect.poll(toast).toBe('Saved on this phone. Sent when there is a connection.');
  expect(documents.isAsking).toBe(false);
  expect(await withDatabase((db) => requestedIds(db, '7'))).toEqual(['42']);
  expect(await withDatabase((db) => db.outbox.toArray())).toMatchObject([
    { path: '/api/tenders/42/document-requests', body: {}, needs: 'session' },
  ]);
  await page.show(<DocumentsOf id="43" />);
  expect(way()).toBe('ask');
});

test('a visitor names an e-mail address first, or stops', async () => {
  await openTestPage(<DocumentsOf id="41" />);
  expect([way(), documents.isAsking]).toEqual(['ask', false]);
  await ask();
  expect(documents.isAsking).toBe(true);
  await act(async () => documents.stopAsking());
  expect(documents.isAsking).toBe(false);
  expect([writes, await withDatabase((db) => requestedIds(db, ''))]).toEqual([[], []]);
  await ask();
  await send();
  expect(documents.isAsking).toBe(false);
  await expect.poll(way).toBe('asked');
  await expect.poll(toast).toBe('Your request for documents was sent.');
  expect(writes).toEqual(['POST /api/tenders/41/document-requests {"email":"asha@example.in"}']);
});

test('documents that were asked for earlier are not asked for again, those of another tender may be', async () => {
  await withDatabase((db) => db.settings.put({ key: 'document requests of ', value: ['44'] }));
  const page = await openTestPage(<DocumentsOf id="44" />);
  await expect.poll(way).toBe('asked');
  await page.show(<DocumentsOf id="43" />);
  expect(way()).toBe('ask');
});

test('documents that the user has are not asked for', async () => {
  await openTestPage(<DocumentsOf id="45" isOwned />);
  expect(way()).toBe('owned');
});

test.each([
  ['QuotaExceededError', 'The storage of this phone is full'],
  ['SecurityError', 'This browser blocks storage'],
])('a request that cannot be saved (%s) says why, and where else to ask', async (name, problem) => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw Object.assign(new Error('refused'), { name });
  });
  await openTestPage(<DocumentsOf id="46" />);
  await send();
  expect(toast()).toBe(`${problem}, so the request cannot be saved. Please ask through the contact form.`);
  expect(way()).toBe('ask');
});

test("the documents' headings follow the page's heading without a gap", async () => {
  const listed = [
    { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'Copy of PAN' },
    { cover: 'biddingDocuments', type: 'pdf', name: 'NIT' },
  ];
  const tender = { documents: listed, source_portal: 'hptenders', nit_works: null } as unknown as Tender;
  const { page } = await openTestPage(<Documents tender={tender} action={{ way: 'demonstration', note: '' }} />);
  const headings = [...page.querySelectorAll('h1, h2, h3, h4')].map(({ tagName, textContent }) => [
    tagName,
    textContent,
  ]);
  expect(headings).toEqual([
    ['H2', 'What you must upload'],
    ['H2', 'What the portal lists'],
  ]);
});
