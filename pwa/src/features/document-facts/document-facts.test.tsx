// @vitest-environment-options { "url": "http://localhost/" }
import { findContradictions } from '@nivida/contract/documents/contradictions';
import { READING_STATES } from '@nivida/contract/documents/document-facts';
import type { TenderReading } from '@nivida/contract/documents/tender-reading';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { Contradictions } from './Contradictions.tsx';
import { DocumentFacts } from './DocumentFacts.tsx';
import { factOfHash } from './fact-groups.ts';
import { fileStateTexts, pageRanges } from './fact-labels.ts';
import { RowFacts } from './RowFacts.tsx';
import { factsByKind } from './row-facts.ts';
import { testFact, testReadFile, testReading } from './test-reading.ts';

const NOW = new Date('2026-04-13T05:30:00Z');
const scrolledTo: Element[] = [];

beforeEach(() => {
  scrolledTo.length = 0;
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo.push(this);
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
});

const openFacts = (reading: TenderReading, target: string | null = null) =>
  openTestPage(
    <DocumentFacts
      {...{ reading, now: NOW, target }}
      savedAt={new Date('2026-04-12T05:30:00Z')}
      renderActions={(fact, file) => (
        <i>
          page {fact.page} of {file?.name}
        </i>
      )}
    />,
  );

test('a line has its page and its words; a value only when the reader gave one', async () => {
  const { texts } = await openFacts(
    testReading([
      testFact('emd', { quote: 'Earnest money Rs 23,500', value: { unit: 'rupees', amount: '23500.00' } }),
      testFact('originals', { page: 43, quote: 'The original FDR shall reach the division office' }),
    ]),
  );
  expect(texts('h3')).toEqual(['Originals by hand: where and until when', 'EMD']);
  expect(texts('summary')).toEqual([
    'The document says, p. 43The original FDR shall reach the division office',
    'The document says, p. 4₹23,500Earnest money Rs 23,500',
  ]);
  expect(texts('details i')).toEqual(['page 43 of nit.pdf', 'page 4 of nit.pdf']);
});

test('what we have checked or corrected says so and comes first', async () => {
  const { texts } = await openFacts(
    testReading([
      testFact('emd', { id: 'a', quote: 'As found' }),
      testFact('emd', { id: 'b', quote: 'As confirmed', state: 'confirmed' }),
      testFact('emd', { id: 'c', quote: 'As corrected', state: 'corrected', value: { unit: 'days', amount: 1 } }),
    ]),
  );
  expect(texts('summary')).toEqual([
    'The document says, p. 4Corrected by us1 dayAs corrected',
    'The document says, p. 4Checked by usAs confirmed',
    'The document says, p. 4As found',
  ]);
});

test('a topic shows three lines and folds the others; a line that two files repeat is shown once', async () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'a'].map((quote, index) => testFact('turnover', { id: `${index}`, quote }));
  const { page, texts } = await openFacts(testReading(lines));
  expect(texts('section > ul q')).toEqual(['a', 'b', 'c']);
  expect(texts('section > details > ul q')).toEqual(['d', 'e']);
  expect(texts('section > details > summary')).toEqual(['2 more lines']);
  expect(page.querySelector('section > details')?.hasAttribute('open')).toBe(false);
});

test('topics that decide no bid are folded, and open for the line that the address names', async () => {
  const reading = testReading([testFact('emd'), testFact('defectLiability', { id: '77' })]);
  const folded = await openFacts(reading);
  const fold = (page: HTMLElement) => page.querySelector('details:has(section)');
  expect(folded.texts('details:has(section) > summary')).toEqual(['Also in the document: Defect liability']);
  expect(fold(folded.page)?.hasAttribute('open')).toBe(false);
  await folded.close();
  const { page } = await openFacts(reading, factOfHash('#fact-77'));
  expect(fold(page)?.hasAttribute('open')).toBe(true);
  expect(page.querySelector('#fact-77')?.hasAttribute('open')).toBe(true);
  expect(scrolledTo).toEqual([page.querySelector('#fact-77')]);
});

test('a decisive topic without a line was not found in what could be read, and is never “not asked”', async () => {
  const { text } = await openFacts(testReading([testFact('emd'), testFact('originals'), testFact('documents')]));
  expect(text()).toContain(
    'Not found in the text that could be read: Class of contractor, Registration, Similar works done, Turnover, Pre-bid meeting. The document may still ask for it.',
  );
});

test('a notice of pictures is said to be unread, and nothing is said to be missing from it', async () => {
  const { text, texts } = await openFacts(testReading([], { files: [testReadFile({ state: 'pictures' })] }));
  expect(texts('ul[aria-label="Not read by the program"] li')).toEqual([
    'nit.pdf All its pages are pictures: read them yourself.',
  ]);
  expect(text()).not.toContain('Not found');
});

test('each state of a file has its own sentence', () => {
  const unreadPages = [{ page: 3, why: 'picture' } as const];
  const sentences = () => READING_STATES.map((state) => fileStateTexts(testReadFile({ state, unreadPages })).join(' '));
  expect(new Set(sentences()).size).toBe(READING_STATES.length);
});

test('a locked or damaged file of one’s own says what to do', () => {
  const sentence = (state: 'locked' | 'broken') => fileStateTexts(testReadFile({ state, isOwn: true })).join(' ');
  expect(sentence('locked')).toContain('Save it without the password and share it again.');
  expect(sentence('broken')).toContain('Get it again from where it came, then share it.');
});

test('the unread pages of a file are named as ranges, with the reason', () => {
  expect(pageRanges([7, 3, 4, 5, 9, 6])).toBe('3 to 7, 9');
  const unreadPages = [3, 4, 5, 6, 7]
    .map((page) => ({ page, why: 'picture' as const }) as { page: number; why: 'picture' | 'font' })
    .concat({ page: 9, why: 'font' });
  expect(fileStateTexts(testReadFile({ state: 'part', unreadPages }))).toEqual([
    'Pages 3 to 7 are pictures: read them yourself.',
    'Page 9 has an old font that could not be read: read it yourself.',
  ]);
});

test('lines of several files name theirs, and a file of one’s own says that only its owner sees it', async () => {
  const { text, texts } = await openFacts(
    testReading([testFact('emd'), testFact('originals', { fileId: '2', page: 2 })], {
      files: [testReadFile(), testReadFile({ id: '2', name: 'addendum.pdf', isOwn: true, pages: 1 })],
    }),
  );
  expect(texts('summary')).toEqual([
    'addendum.pdf says, p. 2A line about originals',
    'nit.pdf says, p. 4A line about emd',
  ]);
  expect(text()).toContain('addendum.pdf 1 page read. Your own file: only you see it.');
  expect(text()).toContain('Loaded 24 h ago.');
});

test('a difference has all values with their sources and leads to the line', async () => {
  const reading = testReading([testFact('estimate', { value: { unit: 'rupees', amount: '1275342.00' } })], {
    files: [testReadFile(), testReadFile({ id: '2', name: 'boq.xls', kind: 'boq' })],
    boqs: [
      {
        ...{ fileId: '2', boq: null, changes: null },
        summary: {
          ...{ kind: 'percentage', items: 9, isLumpSum: false, totalPaise: 127_534_200, statedTotalPaise: 127_534_200 },
          totalState: 'agrees',
        },
      },
    ],
  });
  const found = findContradictions(testTenderDetail({ price: 1_175_342 }), reading);
  const { texts, press, address } = await openTestPage(<Contradictions tenderId="5" found={found} />);
  expect(texts('li')).toEqual([
    'Estimated value differs:Portal: ₹11,75,342nit.pdf, p. 4: ₹12,75,342Total of boq.xls: ₹12,75,342',
  ]);
  await press('nit.pdf, p. 4: ₹12,75,342');
  expect(address()).toBe('/tenders/5#fact-estimate-1');
});

test('without a difference there is no line', async () => {
  const { text } = await openTestPage(<Contradictions tenderId="5" found={[]} />);
  expect(text()).toBe('');
});

test('a line stands beside each row of the checklist that it names', () => {
  const rows = factsByKind([
    testFact('emd', { quote: 'Earnest money of Rs 23,500 as FDR' }),
    testFact('originals', { quote: 'Original affidavit and earnest money shall be submitted by hand' }),
    testFact('documents', { quote: 'Copy of PAN card and GST registration certificate' }),
    testFact('registration', { quote: 'The bidder shall have GST registration' }),
    testFact('turnover', { quote: 'Average annual turnover of 30 % of the cost' }),
    testFact('defectLiability', { quote: 'PAN' }),
  ]);
  const topics = (kind: string) => rows.get(kind)?.map(({ topic }) => topic);
  expect(topics('emd')).toEqual(['originals', 'emd']);
  expect(topics('pan')).toEqual(['documents']);
  expect(topics('gst_registration')).toEqual(['documents', 'registration']);
  expect(topics('turnover')).toEqual(['turnover']);
  expect(topics('solvency_credit')).toBeUndefined();
});

test('beside a row stand the words and a link to their page; an original by hand says so', async () => {
  const facts = [testFact('originals', { quote: 'By hand', page: 9 }), testFact('emd', { quote: 'As FDR' })];
  const { texts, names } = await openTestPage(<RowFacts tenderId="5" facts={facts} files={[testReadFile()]} />);
  expect(names()).toEqual(['Original by hand: The document says, p. 9', 'The document says, p. 4']);
  expect(texts('q')).toEqual(['By hand', 'As FDR']);
});
