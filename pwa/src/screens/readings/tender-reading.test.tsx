// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { TenderReading } from '@nivida/contract/documents/tender-reading';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { strToU8, zipSync } from 'fflate';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { testFact, testReadFile, testReading } from '../../features/document-facts/test-reading.ts';
import { findInPackage } from '../../features/documents/package-page.ts';
import type { DocumentsAvailability } from '../../features/tender/documents/DocumentActions.tsx';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { BidChecklist } from '../bids/BidChecklist.tsx';
import { BidReadingNotes } from '../bids/BidReadingNotes.tsx';
import { ReadingContradictions } from './ReadingContradictions.tsx';
import { TenderReadingBlock } from './TenderReadingBlock.tsx';

const NIT_SHA = 'b9e68e1bea3e5b19ca6b2f98b73a54b73daafaa250484902e09982e07a12e733';
const file = testReadFile({ sha256: NIT_SHA });
const emd = testFact('emd', {
  id: '31',
  quote: 'Earnest money Rs 24,000',
  value: { unit: 'rupees', amount: '24000.00' },
});

/** Each test has a tender of its own: answers are cached for the whole app. */
let id = 700;
let answer: () => Response;
let sent: { path: string; body: unknown }[];
let opened: string[];

beforeEach(() => {
  id += 1;
  sent = [];
  opened = [];
  answer = () => Response.json(testReading([emd], { files: [file] }));
  vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'POST') {
      sent.push({ path: pathname, body: await request.json() });
      return Response.json({ success: true }, { status: 201 });
    }
    return answer();
  });
});
afterEach(async () => {
  await closeTestPages();
  while (useToast.getState().current) dismissToast();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const offline = () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
};

const tenderOf = () => testTenderDetail({ _id: String(id), nit_id: 'A' });

async function openBlock(way: DocumentsAvailability = 'sold') {
  const onDocuments = vi.fn();
  const page = await openTestPage(<TenderReadingBlock {...{ way, onDocuments }} tender={tenderOf()} />, '/#fact-31');
  return { ...page, onDocuments };
}

test('the lines are shown to a visitor without an account; the package is what opens their page', async () => {
  const { text, press, hasButton, onDocuments } = await openBlock();
  await expect.poll(text).toContain('The document says, p. 4₹24,000Earnest money Rs 24,000');
  expect(hasButton('Open page 4')).toBe(false);
  await press('Get the documents to open page 4');
  expect(onDocuments).toHaveBeenCalledOnce();
});

test.each<[DocumentsAvailability, string]>([
  ['closed', 'Page 4 of nit.pdf, at the portal.'],
  ['demonstration', 'Page 4 of nit.pdf, at the portal.'],
])('documents that cannot be had here (%s) have no button', async (way, said) => {
  const { text, names } = await openBlock(way);
  await expect.poll(text).toContain(said);
  expect(names()).toEqual(['This line is wrong']);
});

test('bought documents that are not on the phone are saved first', async () => {
  signInForTest('1');
  const { hasButton, press, address } = await openBlock('owned');
  await expect.poll(() => hasButton('Save the documents on this phone to open page 4')).toBe(true);
  await press('Save the documents on this phone to open page 4');
  expect(address()).toBe('/dashboard/payments');
});

/** Stores the package of the tender's NIT with these files. */
const storePackage = (files: Record<string, Uint8Array>) =>
  withDatabase((db) =>
    db.packageFiles.put({ owner: '2', nit: 'A', version: 1, savedAt: 1, file: zipSync(files).slice().buffer }),
  );

test('a line opens its page in the package on the phone, also without a network', async () => {
  signInForTest('2');
  await storePackage({ 'official/nit.pdf': strToU8('%PDF the notice') });
  await withDatabase((db) =>
    db.readings.put({
      ...{ owner: '2', tenderId: String(id), version: '', savedAt: 1 },
      reading: testReading([emd], { files: [file] }),
    }),
  );
  offline();
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: true, configurable: true });
  vi.stubGlobal('open', (address: string) => opened.push(address));
  const { press, hasButton } = await openBlock();
  await expect.poll(() => hasButton('Open page 4')).toBe(true);
  await press('Open page 4');
  await expect.poll(() => opened).toEqual([expect.stringMatching(/^blob:.+#page=4$/)]);
});

test('a browser that shows no PDF saves the document and names the page', async () => {
  signInForTest('2');
  await storePackage({ 'nit.pdf': strToU8('%PDF the notice') });
  Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false, configurable: true });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { button, hasButton } = await openBlock();
  await expect.poll(() => hasButton('Open page 4')).toBe(true);
  await act(async () => button('Open page 4').dispatchEvent(new MouseEvent('click', { bubbles: true })));
  await expect.poll(() => useToast.getState().current?.text).toBe('nit.pdf is saved. Turn to page 4.');
  expect(saved).toEqual(['nit.pdf']);
});

test('a package without the document says so', async () => {
  signInForTest('2');
  await storePackage({ 'other.pdf': strToU8('%PDF') });
  const { press, hasButton } = await openBlock();
  await expect.poll(() => hasButton('Open page 4')).toBe(true);
  await press('Open page 4');
  await expect
    .poll(() => useToast.getState().current?.text)
    .toBe('This document is not in your saved package. Download the documents again.');
});

test('a document is found in an archive of the package, and by its checksum among several of one name', async () => {
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
  const inner = zipSync({ 'a/nit.pdf': strToU8('inner') });
  const zip = zipSync({ 'x/nit.pdf': strToU8('old'), 'y/nit.pdf': strToU8('new'), 'documents.zip': inner });
  const newSha = '11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437';
  expect(text(await findInPackage(zip, { name: 'nit.pdf', sha256: newSha }))).toBe('new');
  expect(text(await findInPackage(zip, { name: 'documents.zip/nit.pdf', sha256: '' }))).toBe('inner');
  expect(await findInPackage(zip, { name: 'boq.xls', sha256: '' })).toBeUndefined();
});

test('a tender without files, a phone without a network and a refusal of the server each say so', async () => {
  answer = () => Response.json({ files: [], facts: [], boqs: [] } satisfies TenderReading);
  const empty = await openBlock();
  await expect.poll(empty.text).toContain('No document of this tender has been read.');
  await empty.close();

  id += 1;
  answer = () => Response.json({ code: 'SERVER_ERROR', message: 'The server has a problem' }, { status: 500 });
  const refused = await openBlock();
  await expect.poll(() => refused.hasButton('Try Again')).toBe(true);
  answer = () => Response.json(testReading([emd]));
  await refused.press('Try Again');
  await expect.poll(refused.text).toContain('Earnest money Rs 24,000');
  await refused.close();

  id += 1;
  offline();
  const alone = await openBlock();
  await expect.poll(alone.text).toContain('is not on this phone yet. It loads when there is a connection.');
});

test('a wrong line is reported with its file, page and words', async () => {
  const { press, hasButton, field } = await openBlock();
  await expect.poll(() => hasButton('This line is wrong')).toBe(true);
  await press('This line is wrong');
  expect(field('What is right? if you know it; no names or numbers of people').value).toBe(
    'nit.pdf, p. 4: “Earnest money Rs 24,000”\n',
  );
  await press('Send report');
  await expect
    .poll(() => sent)
    .toMatchObject([
      {
        path: `/api/tenders/${id}/reports`,
        body: { kind: 'other', text: 'nit.pdf, p. 4: “Earnest money Rs 24,000”' },
      },
    ]);
});

test('the tender’s page names a difference to the portal; without one it says nothing', async () => {
  const { text, show } = await openTestPage(<ReadingContradictions tender={tenderOf()} />);
  await expect.poll(text).toContain('EMD differs:Portal: ₹23,500nit.pdf, p. 4: ₹24,000');
  await show(<ReadingContradictions tender={{ ...tenderOf(), emd: '24000.00' }} />);
  expect(text()).toBe('');
});

test('a bid’s page warns of an instrument that ends before the bids, until the bid is decided', async () => {
  answer = () => Response.json(testReading([testFact('validity', { value: { unit: 'days', amount: 90 } })]));
  const deposits = [{ id: '1', kind: 'emd', mode: 'bg', validUntil: '2026-05-01' } as const];
  const { text, show } = await openTestPage(
    <BidReadingNotes {...{ deposits }} tender={tenderOf()} stage="preparing" />,
  );
  await expect
    .poll(text)
    .toContain('bids stay valid until 14 Jul 2026: 90 days after the closing, nit.pdf says, p. 4.');
  await show(<BidReadingNotes {...{ deposits }} tender={tenderOf()} stage="lost" />);
  expect(text()).toBe('');
});

test('a line stands beside the row of the checklist that it concerns', async () => {
  const documents = [{ cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'EMD' }];
  const { texts } = await openTestPage(
    <BidChecklist tender={{ ...tenderOf(), documents }} now={new Date('2026-04-13T05:30:00Z')} />,
  );
  await expect.poll(() => texts('li q')).toEqual(['Earnest money Rs 24,000']);
});
